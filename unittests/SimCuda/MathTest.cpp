//===- MathTest.cpp - CUDA's math functions through NVRTC -----------------===//
//
// Against the host in the next wider type, within the ulp bounds of the CUDA
// programming guide.
//
//===----------------------------------------------------------------------===//
#include "Apply.h"

#include <algorithm>
#include <cmath>

using namespace kclaw::sim;

namespace {

/// A kernel over arrays x, y -> z for one expression.
template <class T>
std::vector<T> evaluate(const std::string &expression, const std::vector<T> &x,
                        const std::vector<T> &y,
                        const std::string &headers = "") {
  std::string type = sizeof(T) == 8 ? "double" : "float";
  std::string ptx = compileCuda(
      headers + "extern \"C\" __global__ void k(const " + type + " *a, const " +
      type + " *b, " + type + " *c, int n) {\n" +
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + "  if (i < n) { " +
      type + " x = a[i], y = b[i]; c[i] = " + expression + "; }\n}\n");
  Machine machine(ptx);
  auto a = machine.upload(x), b = machine.upload(y);
  auto c = machine.allocate<T>(x.size());
  auto blocks = uint32_t((x.size() + 255) / 256);
  machine.run("k", {blocks}, {256}, a, b, c, int(x.size()));
  return c.values();
}

/// Distance from the correctly rounded result, in units in its last place.
template <class T> double ulps(T got, long double want) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : INFINITY;
  auto rounded = T(want);
  if (got == rounded)
    return 0;
  double unit = double(std::nextafter(std::fabs(rounded), T(INFINITY))) -
                double(std::fabs(rounded));
  return std::fabs(double(got) - double(rounded)) / unit;
}

struct Row {
  const char *expression;
  long double (*want)(long double, long double);
  double bound;
  double low, high; ///< of x
};

template <class T> void check(std::initializer_list<Row> rows) {
  for (const Row &row : rows) {
    std::vector<T> x, y;
    uint64_t random = 12345;
    for (int k = 0; k < 600; ++k) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      x.push_back(T(row.low + (row.high - row.low) * double(random >> 40) /
                                  double(1 << 24)));
      y.push_back(T(double(random >> 33 & 0xffff) / 8192 - 4));
    }
    for (T special : {T(0), T(-0.0), T(1), T(-1), T(INFINITY), T(-INFINITY),
                      T(NAN), std::numeric_limits<T>::denorm_min()})
      x.push_back(special), y.push_back(T(2));
    std::vector<T> z = evaluate<T>(row.expression, x, y);
    for (size_t k = 0; k < x.size(); ++k)
      ASSERT_LE(ulps(z[k], row.want(x[k], y[k])), row.bound)
          << row.expression << " of " << x[k] << ", " << y[k] << ": " << z[k];
  }
}

#define KCL_F(expression)                                                      \
  [](long double x, long double y) -> long double {                            \
    (void)x, (void)y;                                                          \
    return expression;                                                         \
  }

TEST(Math, Float) {
  check<float>({
      {"expf(x)", KCL_F(std::exp(x)), 2, -100, 100},
      {"exp2f(x)", KCL_F(std::exp2(x)), 2, -140, 130},
      {"expm1f(x)", KCL_F(std::expm1(x)), 1, -3, 3},
      {"logf(x)", KCL_F(std::log(x)), 1, 0, 100},
      {"log2f(x)", KCL_F(std::log2(x)), 1, 0, 100},
      {"log1pf(x)", KCL_F(std::log1p(x)), 1, -1, 3},
      {"sinf(x)", KCL_F(std::sin(x)), 2, -1e6, 1e6},
      {"cosf(x)", KCL_F(std::cos(x)), 2, -1e6, 1e6},
      {"tanf(x)", KCL_F(std::tan(x)), 4, -100, 100},
      {"atan2f(x, y)", KCL_F(std::atan2(x, y)), 3, -10, 10},
      {"powf(x, y)", KCL_F(std::pow(x, y)), 4, 0, 50},
      {"erff(x)", KCL_F(std::erf(x)), 2, -4, 4},
      {"erfcf(x)", KCL_F(std::erfc(x)), 4, -4, 8},
      {"tanhf(x)", KCL_F(std::tanh(x)), 2, -9, 9},
      {"sqrtf(x)", KCL_F(std::sqrt(x)), 0, 0, 1e6},
      {"rsqrtf(x)", KCL_F(1 / std::sqrt(x)), 2, 1e-3, 1e6},
      {"cbrtf(x)", KCL_F(std::cbrt(x)), 1, -1e6, 1e6},
      {"fmaf(x, y, -x)", KCL_F(std::fma(float(x), float(y), -float(x))), 0, -9,
       9},
      {"x / y", KCL_F(float(x) / float(y)), 0, -1e6, 1e6},
      {"1.0f / x", KCL_F(1 / x), 0, -1e6, 1e6},
      {"__fdiv_ru(x, 3.0f) >= x / 3.0f ? 1.0f : x != x ? x : 0.0f",
       KCL_F(x != x ? x : 1), 0, -1e6, 1e6},
      {"fmodf(x, y)", KCL_F(std::fmod(x, y)), 0, -1e3, 1e3},
      {"rintf(x)", KCL_F(std::rint(x)), 0, -1e3, 1e3},
      {"lgammaf(x)", KCL_F(std::lgamma(x)), 6, 3, 50},
      {"normcdff(x)", KCL_F(0.5 * std::erfc(-x / std::sqrt(2.0L))), 5, -3, 3},
  });
}

TEST(Math, Double) {
  check<double>({
      {"exp(x)", KCL_F(std::exp(x)), 1, -700, 700},
      {"log(x)", KCL_F(std::log(x)), 1, 0, 100},
      {"sin(x)", KCL_F(std::sin(x)), 2, -1e6, 1e6},
      {"cos(x)", KCL_F(std::cos(x)), 2, -1e6, 1e6},
      {"pow(x, y)", KCL_F(std::pow(x, y)), 2, 0, 50},
      {"tanh(x)", KCL_F(std::tanh(x)), 2, -9, 9},
      {"erf(x)", KCL_F(std::erf(x)), 2, -4, 4},
      {"sqrt(x)", KCL_F(std::sqrt(double(x))), 0, 0, 1e6},
      {"rsqrt(x)", KCL_F(1 / std::sqrt(x)), 1, 1e-3, 1e6},
      {"cbrt(x)", KCL_F(std::cbrt(x)), 1, -1e6, 1e6},
      {"x / y", KCL_F(double(x) / double(y)), 0, -1e6, 1e6},
      {"fma(x, y, -x)", KCL_F(std::fma(double(x), double(y), -double(x))), 0,
       -9, 9},
      {"fmod(x, y)", KCL_F(std::fmod(x, y)), 0, -1e3, 1e3},
      {"floor(x) + ceil(y)",
       KCL_F(double(std::floor(x)) + double(std::ceil(y))), 0, -1e3, 1e3},
  });
}

// PX-02: the slow path of the argument reduction carries through madc.
TEST(Math, LargeArguments) {
  std::vector<float> x = {1e8f, 33554432.0f, 1e30f}, y = x;
  std::vector<float> s = evaluate<float>("sinf(x)", x, y);
  std::vector<float> c = evaluate<float>("cosf(x)", x, y);
  EXPECT_NEAR(s[0], 0.931639, 1e-6);
  EXPECT_NEAR(c[1], -0.215439, 1e-6);
  for (size_t k = 0; k < x.size(); ++k) {
    EXPECT_LE(ulps(s[k], std::sin(double(x[k]))), 2);
    EXPECT_LE(ulps(c[k], std::cos(double(x[k]))), 2);
  }
}

TEST(Math, FastFunctions) {
  std::vector<float> x, y;
  for (int k = 1; k < 600; ++k)
    x.push_back(float(k) * 0.01f), y.push_back(2);
  std::vector<float> e = evaluate<float>("__expf(x)", x, y);
  std::vector<float> l = evaluate<float>("__logf(x)", x, y);
  std::vector<float> p = evaluate<float>("__powf(x, y)", x, y);
  std::vector<float> d = evaluate<float>("__fdividef(y, x)", x, y);
  for (size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(e[k] / std::exp(double(x[k])), 1, 1e-6);
    EXPECT_NEAR(l[k], std::log(double(x[k])), 1e-6);
    EXPECT_NEAR(p[k] / (double(x[k]) * x[k]), 1, 1e-5);
    EXPECT_LE(ulps(d[k], 2.0 / x[k]), 2);
  }
}

TEST(Math, Halves) {
  std::vector<float> x, y;
  for (int k = 0; k < 512; ++k)
    x.push_back(float(k - 256) * 0.0625f), y.push_back(float(k % 7) + 1);
  const std::string headers = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                              "#include <cuda_fp8.h>\n";
  struct {
    const char *expression;
    long double (*want)(long double, long double);
    double relative;
  } rows[] = {
      {"__half2float(__hadd(__float2half(x), __float2half(y)))", KCL_F(x + y),
       0x1p-11},
      {"__half2float(__hdiv(__float2half(x), __float2half(y)))", KCL_F(x / y),
       0x1p-11},
      {"__half2float(hexp(__float2half(x * 0.25f)))", KCL_F(std::exp(x / 4)),
       0x1p-9},
      {"__half2float(hsqrt(__float2half(y)))", KCL_F(std::sqrt(y)), 0x1p-10},
      {"__half2float(__hfma(__float2half(x), __float2half(y), "
       "__float2half(1.f)))",
       KCL_F(x * y + 1), 0x1p-11},
      {"__high2float(__hmul2(__floats2half2_rn(1.f, x), "
       "__floats2half2_rn(1.f, y)))",
       KCL_F(x * y), 0x1p-11},
      {"__bfloat162float(__hmul(__float2bfloat16(x), __float2bfloat16(y)))",
       KCL_F(x * y), 0x1p-7},
      {"__bfloat162float(__hmax(__float2bfloat16(x), __float2bfloat16(y)))",
       KCL_F(std::max(x, y)), 0x1p-8},
      {"float(__nv_fp8_e4m3(x))", KCL_F(x), 0x1p-4},
      {"float(__nv_fp8_e5m2(x))", KCL_F(x), 0x1p-3},
      {"__hlt(__float2half(x), __float2half(y)) ? 1.f : 2.f",
       KCL_F(x < y ? 1 : 2), 0},
      {"float(__half2int_rn(__float2half(x)))", KCL_F(std::rint(x)), 0},
      {"__half2float(__ushort2half_rn((unsigned short)(y * 100.f)))",
       KCL_F(std::floor(float(y) * 100.f)), 0x1p-11},
  };
  for (auto &row : rows) {
    std::vector<float> z = evaluate<float>(row.expression, x, y, headers);
    for (size_t k = 0; k < x.size(); ++k) {
      auto want = double(row.want(x[k], y[k]));
      ASSERT_NEAR(z[k], want, std::fabs(want) * row.relative + 0x1p-20)
          << row.expression << " of " << x[k] << ", " << y[k];
    }
  }
}

TEST(Math, IntegerIntrinsics) {
  std::string ptx = compileCuda(R"(
extern "C" __global__ void k(unsigned long long *out, unsigned a, unsigned b,
                             unsigned long long c, long long d) {
  int n = 0;
  out[n++] = __brev(a);
  out[n++] = __clzll(c);
  out[n++] = __dp4a((int)a, (int)b, 7);
  out[n++] = __funnelshift_l(a, b, 13);
  out[n++] = __funnelshift_rc(a, b, 40);
  out[n++] = __byte_perm(a, b, 0x6420);
  out[n++] = __umulhi(a, b);
  out[n++] = __umul64hi(c, c);
  out[n++] = __mul64hi(d, (long long)c);
  out[n++] = __popcll(c);
  out[n++] = __ffs(a);
  out[n++] = __vadd2(a, b);
  out[n++] = __vabsdiffu4(a, b);
  out[n++] = __usad(a, b, 9);
  out[n++] = __mul24(a, b);
  out[n++] = c / b;
  out[n++] = (unsigned long long)(d % (int)b);
  out[n++] = __uhadd(a, b);
  out[n++] = (unsigned)__double2hiint(3.5) + __float_as_uint(1.5f);
  out[n++] = (unsigned long long)__double2ll_rd(-2.5 * (double)b);
})");
  Machine machine(ptx);
  uint32_t a = 0x89abcdef, b = 0x12345678;
  uint64_t c = 0x0123456789abcdef;
  int64_t d = -987654321987;
  auto out = machine.allocate<uint64_t>(20);
  machine.run("k", {1}, {1}, out, a, b, c, d);
  size_t n = 0;
  EXPECT_EQ(out[n++], 0xf7b3d591u);
  EXPECT_EQ(out[n++], 7u);
  int dot = 7;
  for (int k = 0; k < 32; k += 8)
    dot += int8_t(a >> k) * int8_t(b >> k);
  EXPECT_EQ(out[n++], uint64_t(int64_t(dot)));
  EXPECT_EQ(out[n++], (b << 13) | (a >> 19));
  EXPECT_EQ(out[n++], b);
  EXPECT_EQ(out[n++], 0x3478abefu);
  EXPECT_EQ(out[n++], uint64_t(a) * b >> 32);
  EXPECT_EQ(out[n++], uint64_t((unsigned __int128)(c)*c >> 64));
  EXPECT_EQ(out[n++], uint64_t((__int128)(d)*int64_t(c) >> 64));
  EXPECT_EQ(out[n++], uint64_t(std::popcount(c)));
  EXPECT_EQ(out[n++], 1u);
  EXPECT_EQ(out[n++],
            ((a + (b & 0xffff0000)) & 0xffff0000) | ((a + b) & 0xffff));
  uint32_t differences = 0;
  for (int k = 0; k < 32; k += 8)
    differences |= uint32_t(std::abs(int(a >> k & 255) - int(b >> k & 255)))
                   << k;
  EXPECT_EQ(out[n++], differences);
  EXPECT_EQ(out[n++], a - b + 9);
  EXPECT_EQ(out[n++],
            uint64_t(int64_t(int32_t(uint32_t(int32_t(a << 8) >> 8) *
                                     uint32_t(int32_t(b << 8) >> 8)))));
  EXPECT_EQ(out[n++], c / b);
  EXPECT_EQ(out[n++], uint64_t(d % int32_t(b)));
  EXPECT_EQ(out[n++], (uint64_t(a) + b) >> 1);
  EXPECT_EQ(out[n++], 0x400c0000u + 0x3fc00000u);
  EXPECT_EQ(out[n++], uint64_t(int64_t(std::floor(-2.5 * double(b)))));
}

} // namespace
