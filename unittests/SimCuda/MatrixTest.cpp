//===- MatrixTest.cpp - mma.sync by the fragment formulas of PTX ----------===//
//
// Registers are made on the host from the formulas of the PTX manual, element
// by element; small integers make every product and sum exact.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include "SimCuda/Isa/Formats.h"
#include "SimCuda/Isa/Small.h"

#include <random>

using namespace kclaw::sim;

namespace {

struct At {
  unsigned row, column;
};
using Formula = At (*)(unsigned lane, unsigned i);

struct Case {
  const char *shape, *types;
  unsigned m, k;
  unsigned bits; ///< of an element of A and B
  Formula a, b;  ///< b: row is k
};

// g: lane / 4, t: lane % 4, as the manual writes them.
#define KCL_G (lane >> 2)
#define KCL_T (lane & 3)
const Case cases[] = {
    {"m16n8k8", "f32.f16.f16.f32", 16, 8, 16,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i < 2 ? 0 : 8), KCL_T * 2 + (i & 1)};
     },
     [](unsigned lane, unsigned i) -> At { return {KCL_T * 2 + i, KCL_G}; }},
    {"m16n8k16", "f32.f16.f16.f32", 16, 16, 16,
     [](unsigned lane, unsigned i) -> At {
       bool low = i < 2 || (i >= 4 && i < 6);
       return {KCL_G + (low ? 0 : 8), KCL_T * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](unsigned lane, unsigned i) -> At {
       return {KCL_T * 2 + (i & 1) + (i < 2 ? 0 : 8), KCL_G};
     }},
    {"m16n8k16", "f32.bf16.bf16.f32", 16, 16, 16,
     [](unsigned lane, unsigned i) -> At {
       bool low = i < 2 || (i >= 4 && i < 6);
       return {KCL_G + (low ? 0 : 8), KCL_T * 2 + (i & 1) + (i < 4 ? 0 : 8)};
     },
     [](unsigned lane, unsigned i) -> At {
       return {KCL_T * 2 + (i & 1) + (i < 2 ? 0 : 8), KCL_G};
     }},
    {"m16n8k4", "f32.tf32.tf32.f32", 16, 4, 32,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i == 0 ? 0 : 8), KCL_T};
     },
     [](unsigned lane, unsigned) -> At { return {KCL_T, KCL_G}; }},
    {"m16n8k8", "f32.tf32.tf32.f32", 16, 8, 32,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i == 0 || i == 2 ? 0 : 8), KCL_T + (i < 2 ? 0 : 4)};
     },
     [](unsigned lane, unsigned i) -> At {
       return {KCL_T + (i == 0 ? 0 : 4), KCL_G};
     }},
    {"m8n8k16", "s32.s8.s8.s32", 8, 16, 8,
     [](unsigned lane, unsigned i) -> At { return {KCL_G, KCL_T * 4 + i}; },
     [](unsigned lane, unsigned i) -> At { return {KCL_T * 4 + i, KCL_G}; }},
    {"m16n8k16", "s32.s8.s8.s32", 16, 16, 8,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i < 4 ? 0 : 8), KCL_T * 4 + (i & 3)};
     },
     [](unsigned lane, unsigned i) -> At { return {KCL_T * 4 + i, KCL_G}; }},
    {"m16n8k32", "s32.s8.s8.s32", 16, 32, 8,
     [](unsigned lane, unsigned i) -> At {
       bool low = i < 4 || (i >= 8 && i < 12);
       return {KCL_G + (low ? 0 : 8), KCL_T * 4 + (i & 3) + (i < 8 ? 0 : 16)};
     },
     [](unsigned lane, unsigned i) -> At {
       return {KCL_T * 4 + (i & 3) + (i < 4 ? 0 : 16), KCL_G};
     }},
    {"m16n8k16", "f32.e4m3.e4m3.f32", 16, 16, 8,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i < 4 ? 0 : 8), KCL_T * 4 + (i & 3)};
     },
     [](unsigned lane, unsigned i) -> At { return {KCL_T * 4 + i, KCL_G}; }},
    {"m16n8k32", "f32.e5m2.e5m2.f32", 16, 32, 8,
     [](unsigned lane, unsigned i) -> At {
       bool low = i < 4 || (i >= 8 && i < 12);
       return {KCL_G + (low ? 0 : 8), KCL_T * 4 + (i & 3) + (i < 8 ? 0 : 16)};
     },
     [](unsigned lane, unsigned i) -> At {
       return {KCL_T * 4 + (i & 3) + (i < 4 ? 0 : 16), KCL_G};
     }},
    {"m8n8k32", "s32.s4.s4.s32", 8, 32, 4,
     [](unsigned lane, unsigned i) -> At { return {KCL_G, KCL_T * 8 + i}; },
     [](unsigned lane, unsigned i) -> At { return {KCL_T * 8 + i, KCL_G}; }},
    {"m16n8k32", "s32.s4.s4.s32", 16, 32, 4,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i < 8 ? 0 : 8), KCL_T * 8 + (i & 7)};
     },
     [](unsigned lane, unsigned i) -> At { return {KCL_T * 8 + i, KCL_G}; }},
    {"m16n8k64", "s32.s4.s4.s32", 16, 64, 4,
     [](unsigned lane, unsigned i) -> At {
       bool low = i < 8 || (i >= 16 && i < 24);
       return {KCL_G + (low ? 0 : 8), KCL_T * 8 + (i & 7) + (i < 16 ? 0 : 32)};
     },
     [](unsigned lane, unsigned i) -> At {
       return {KCL_T * 8 + (i & 7) + (i < 8 ? 0 : 32), KCL_G};
     }},
    {"m8n8k4", "f64.f64.f64.f64", 8, 4, 64,
     [](unsigned lane, unsigned) -> At { return {KCL_G, KCL_T}; },
     [](unsigned lane, unsigned) -> At { return {KCL_T, KCL_G}; }},
    {"m16n8k8", "f64.f64.f64.f64", 16, 8, 64,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i % 2 == 0 ? 0 : 8), KCL_T + (i < 2 ? 0 : 4)};
     },
     [](unsigned lane, unsigned i) -> At { return {KCL_T + 4 * i, KCL_G}; }},
    {"m16n8k16", "f64.f64.f64.f64", 16, 16, 64,
     [](unsigned lane, unsigned i) -> At {
       return {KCL_G + (i % 2 == 0 ? 0 : 8), KCL_T + i / 2 * 4};
     },
     [](unsigned lane, unsigned i) -> At { return {KCL_T + 4 * i, KCL_G}; }},
};

uint64_t encode(const Case &c, int value) {
  std::string_view types = c.types;
  if (types.find("bf16") != types.npos)
    return BF16::fromFloat(float(value)).bits;
  if (types.find("f16") != types.npos)
    return F16::fromFloat(float(value)).bits;
  if (types.starts_with("s32"))
    return uint8_t(value) & (c.bits == 4 ? 0xf : 0xff);
  if (types.find("e4m3") != types.npos)
    return roundTo(e4m3Format, value, RoundTo::Even);
  if (types.find("e5m2") != types.npos)
    return roundTo(e5m2Format, value, RoundTo::Even);
  if (types.starts_with("f64"))
    return std::bit_cast<uint64_t>(double(value));
  return std::bit_cast<uint32_t>(float(value));
}

std::string registers(char name, unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i)
    list += std::string(i ? ", %" : "%") + name + std::to_string(i);
  return list + "}";
}

/// Loads A, B and C registers from in[register][lane], stores D.
std::string source(const Case &c, unsigned a, unsigned b, unsigned d) {
  bool wide = c.bits == 64;
  const char *type = wide ? "b64" : "b32";
  std::string size = std::to_string(32 * (wide ? 8 : 4));
  std::string text = ".version 8.4\n.target sm_90a\n.address_size 64\n"
                     ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n";
  std::string dType = std::string_view(c.types).starts_with("s32")
                          ? "b32"
                          : std::string(c.types, 3);
  text += std::string(".reg .") + (wide ? "f64" : "b32") + " %a<8>, %b<8>;\n";
  text += ".reg ." + dType + " %c<4>, %d<4>;\n";
  text += ".reg .b64 %i, %o, %t;\n.reg .b32 %l;\nmov.u32 %l, %tid.x;\n";
  text += "mul.wide.u32 %t, %l, " + std::to_string(wide ? 8 : 4) + ";\n";
  text += "ld.param.u64 %i, [in];\nld.param.u64 %o, [out];\n"
          "add.u64 %i, %i, %t;\nadd.u64 %o, %o, %t;\n";
  unsigned index = 0;
  auto load = [&](char name, unsigned count) {
    for (unsigned r = 0; r < count; ++r)
      text += std::string("ld.global.") + type + " %" + name +
              std::to_string(r) + ", [%i+" +
              std::to_string(index++ * std::stoul(size)) + "];\n";
  };
  load('a', a), load('b', b), load('c', d);
  text += std::string("mma.sync.aligned.") + c.shape + ".row.col." + c.types +
          " " + registers('d', d) + ", " + registers('a', a) + ", " +
          registers('b', b) + ", " + registers('c', d) + ";\n";
  for (unsigned r = 0; r < d; ++r)
    text += std::string("st.global.") + type + " [%o+" +
            std::to_string(r * std::stoul(size)) + "], %d" + std::to_string(r) +
            ";\n";
  return text + "ret;\n}\n";
}

template <class Word> void check(const Case &c) {
  SCOPED_TRACE(std::string(c.shape) + "." + c.types);
  unsigned perWord = unsigned(sizeof(Word)) * 8 / c.bits;
  unsigned aCount = c.m * c.k / (32 * perWord),
           bCount = 8 * c.k / (32 * perWord), dCount = c.m / 4;
  std::mt19937 random(7);
  auto any = [&] { return int(random() % 16) - 8; }; // as 4 bits hold
  std::vector<int> a(c.m * c.k), b(c.k * 8), d(c.m * 8);
  for (auto *matrix : {&a, &b, &d})
    for (int &x : *matrix)
      x = any();
  std::vector<Word> in((aCount + bCount + dCount) * 32);
  bool integer = std::string_view(c.types).starts_with("s32");
  auto accumulator = [&](int value) -> Word {
    if (integer)
      return Word(value);
    if constexpr (sizeof(Word) == 8)
      return std::bit_cast<uint64_t>(double(value));
    else
      return std::bit_cast<uint32_t>(float(value));
  };
  for (unsigned l = 0; l < 32; ++l) {
    auto fill = [&](unsigned first, unsigned count,
                    const std::vector<int> &from, unsigned columns,
                    Formula formula) {
      for (unsigned i = 0; i < count * perWord; ++i) {
        At at = formula(l, i);
        in[(first + i / perWord) * 32 + l] |=
            Word(encode(c, from[at.row * columns + at.column]))
            << (i % perWord * c.bits % (sizeof(Word) * 8));
      }
    };
    fill(0, aCount, a, c.k, c.a);
    fill(aCount, bCount, b, 8, c.b);
    for (unsigned i = 0; i < dCount; ++i)
      in[(aCount + bCount + i) * 32 + l] =
          accumulator(d[(l / 4 + i / 2 * 8) * 8 + l % 4 * 2 + i % 2]);
  }
  Machine machine(source(c, aCount, bCount, dCount));
  auto x = machine.upload(in);
  auto y = machine.allocate<Word>(dCount * 32);
  Counts counts = machine.run("k", {1}, {32}, x, y);
  EXPECT_EQ(counts.tensorMultiplyAdds, uint64_t(c.m) * 8 * c.k);
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned i = 0; i < dCount; ++i) {
      unsigned row = l / 4 + i / 2 * 8, column = l % 4 * 2 + i % 2;
      int sum = d[row * 8 + column];
      for (unsigned k = 0; k < c.k; ++k)
        sum += a[row * c.k + k] * b[k * 8 + column];
      ASSERT_EQ(y[i * 32 + l], accumulator(sum)) << row << ", " << column;
    }
}

TEST(Matrix, MmaFollowsTheFragmentFormulas) {
  for (const Case &c : cases)
    c.bits == 64 ? check<uint64_t>(c) : check<uint32_t>(c);
}

/// C[0][0] + 16 * 127 * b, for every lane's first result.
std::vector<uint32_t> accumulate(const std::string &saturation, uint32_t b,
                                 uint32_t c) {
  Machine machine(".version 8.4\n.target sm_90a\n.address_size 64\n"
                  ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<5>;\n"
                  ".reg .b64 %a<3>;\nmov.b32 %r0, 0x7f7f7f7f;\nmov.b32 %r1, " +
                  std::to_string(b) + ";\nmov.b32 %r2, " + std::to_string(c) +
                  ";\nmma.sync.aligned.m8n8k16.row.col." + saturation +
                  "s32.s8.s8.s32 {%r3, %r4}, {%r0}, {%r1}, {%r2, %r2};\n"
                  "mov.u32 %r0, %tid.x;\nmul.wide.u32 %a1, %r0, 4;\n"
                  "ld.param.u64 %a0, [out];\nadd.u64 %a0, %a0, %a1;\n"
                  "st.global.b32 [%a0], %r3;\nret;\n}\n");
  auto out = machine.allocate<uint32_t>(32);
  machine.run("k", {1}, {32}, out);
  return out.values();
}

TEST(Matrix, SatfiniteClampsTheSum) {
  constexpr uint32_t most = 0x7fffffff, least = 0x80000000;
  constexpr uint32_t up = 0x7f7f7f7f, down = 0x81818181; // 127, -127
  constexpr uint32_t sum = 16 * 127 * 127;
  using Lanes = std::vector<uint32_t>;
  EXPECT_EQ(accumulate("satfinite.", up, most), Lanes(32, most));
  EXPECT_EQ(accumulate("satfinite.", down, least), Lanes(32, least));
  EXPECT_EQ(accumulate("satfinite.", down, most), Lanes(32, most - sum));
  EXPECT_EQ(accumulate("", up, most), Lanes(32, most + sum));
}

TEST(Matrix, EighthsWidenExactly) {
  auto bits = [](double x) {
    return std::isnan(x) ? ~uint64_t(0) : std::bit_cast<uint64_t>(x);
  };
  for (unsigned k = 0; k < 256; ++k) {
    EXPECT_EQ(bits(e4m3ToFloat(uint8_t(k))), bits(valueOf(e4m3Format, k))) << k;
    EXPECT_EQ(bits(e5m2ToFloat(uint8_t(k))), bits(valueOf(e5m2Format, k))) << k;
  }
  EXPECT_EQ(e4m3ToFloat(0x7e), 448.0f);
  EXPECT_EQ(e4m3ToFloat(0x01), 0x1p-9f);
  EXPECT_EQ(e4m3ToFloat(0xb8), -1.0f);
  EXPECT_NE(e4m3ToFloat(0x7f), e4m3ToFloat(0x7f));
  EXPECT_EQ(e5m2ToFloat(0x7b), 57344.0f);
  EXPECT_EQ(e5m2ToFloat(0x01), 0x1p-16f);
}

const char *moveSource = R"(
extern "C" __global__ void k(const unsigned short *in, unsigned *out) {
  __shared__ __align__(16) unsigned short s[4 * 64], u[4 * 64];
  for (int i = threadIdx.x; i < 256; i += 32) s[i] = in[i];
  __syncwarp();
  unsigned a = (unsigned)__cvta_generic_to_shared(s + threadIdx.x * 8);
  unsigned b = (unsigned)__cvta_generic_to_shared(u + threadIdx.x * 8);
  unsigned r[4], t[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(t[0]), "=r"(t[1]), "=r"(t[2]), "=r"(t[3]) : "r"(a));
  unsigned m;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(m) : "r"(r[0]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"
      :: "r"(b), "r"(t[0]), "r"(t[1]), "r"(t[2]), "r"(t[3]));
  __syncwarp();
  for (int i = 0; i < 4; ++i) {
    out[i * 32 + threadIdx.x] = r[i];
    out[128 + i * 32 + threadIdx.x] = t[i];
  }
  out[256 + threadIdx.x] = m;
  for (int i = threadIdx.x; i < 256; i += 32) out[288 + i] = u[i];
})";

TEST(Matrix, LoadsStoresAndTransposesMatrices) {
  std::string ptx = compileCuda(moveSource);
  Machine machine(ptx);
  std::vector<uint16_t> values(256);
  for (unsigned i = 0; i < 256; ++i)
    values[i] = uint16_t(i);
  auto in = machine.upload(values);
  auto out = machine.allocate<uint32_t>(288 + 256);
  machine.run("k", {1}, {32}, in, out);
  for (unsigned m = 0; m < 4; ++m)
    for (unsigned l = 0; l < 32; ++l) {
      unsigned row = l / 4, column = l % 4 * 2;
      EXPECT_EQ(out[m * 32 + l] & 0xffff, m * 64 + row * 8 + column);
      EXPECT_EQ(out[m * 32 + l] >> 16, m * 64 + row * 8 + column + 1);
      uint32_t transposed =
          (m * 64 + column * 8 + row) | (m * 64 + (column + 1) * 8 + row) << 16;
      EXPECT_EQ(out[128 + m * 32 + l], transposed);
      if (m == 0) {
        EXPECT_EQ(out[256 + l], transposed);
      }
    }
  for (unsigned i = 0; i < 256; ++i)
    EXPECT_EQ(out[288 + i], i);
}

const char *wmmaSource = R"(
#include <mma.h>
using namespace nvcuda::wmma;
template <int M, int N, int K, class E, class S, class LA, class LB, class D>
__device__ void multiply(const S *a, const S *b, D *c, int lda, int ldb) {
  fragment<matrix_a, M, N, K, E, LA> fa;
  fragment<matrix_b, M, N, K, E, LB> fb;
  fragment<accumulator, M, N, K, D> fc;
  load_matrix_sync(fa, a, lda);
  load_matrix_sync(fb, b, ldb);
  load_matrix_sync(fc, c, N, mem_row_major);
  mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
  store_matrix_sync(c, fc, N, mem_row_major);
}
#define KERNEL(NAME, M, N, K, E, S, LA, LB, D, P, Q)                      \
  extern "C" __global__ void NAME(const S *a, const S *b, D *c) {         \
    multiply<M, N, K, E, S, LA, LB, D>(a, b, c, P, Q);                    \
  }
KERNEL(half16, 16, 16, 16, half, half, row_major, col_major, float, 16, 16)
KERNEL(half8, 8, 32, 16, half, half, col_major, row_major, float, 8, 32)
KERNEL(half32, 32, 8, 16, half, half, row_major, row_major, half, 16, 8)
KERNEL(bf16, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, row_major, col_major, float, 16, 16)
KERNEL(tf32, 16, 16, 8, precision::tf32, float, row_major, col_major, float, 8, 8)
KERNEL(int8, 16, 16, 16, signed char, signed char, row_major, col_major, int, 16, 16)
KERNEL(f64, 8, 8, 4, double, double, row_major, col_major, double, 4, 4)
)";

template <class S, class D, class ToS, class ToD, class FromD>
void checkWmma(Machine &machine, const char *kernel, unsigned m, unsigned n,
               unsigned k, bool columnA, bool columnB, ToS toS, ToD toD,
               FromD fromD) {
  SCOPED_TRACE(kernel);
  std::mt19937 random(3);
  std::vector<int> a(m * k), b(k * n), c(m * n);
  for (auto *matrix : {&a, &b, &c})
    for (int &x : *matrix)
      x = int(random() % 9) - 4;
  std::vector<S> sa(m * k), sb(k * n);
  std::vector<D> sc(m * n);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < k; ++j)
      sa[columnA ? j * m + i : i * k + j] = toS(a[i * k + j]);
  for (unsigned i = 0; i < k; ++i)
    for (unsigned j = 0; j < n; ++j)
      sb[columnB ? j * k + i : i * n + j] = toS(b[i * n + j]);
  for (unsigned i = 0; i < m * n; ++i)
    sc[i] = toD(c[i]);
  auto x = machine.upload(sa), y = machine.upload(sb);
  auto z = machine.upload(sc);
  machine.run(kernel, {1}, {32}, x, y, z);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      int sum = c[i * n + j];
      for (unsigned l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      ASSERT_EQ(fromD(z[i * n + j]), 2 * sum) << i << ", " << j;
    }
}

TEST(Matrix, WmmaThroughNvrtc) {
  std::string ptx = compileCuda(wmmaSource);
  Machine machine(ptx);
  auto half = [](int x) { return F16::fromFloat(float(x)).bits; };
  auto bfloat = [](int x) { return BF16::fromFloat(float(x)).bits; };
  auto f32 = [](int x) { return float(x); };
  auto f64 = [](int x) { return double(x); };
  auto s8 = [](int x) { return int8_t(x); };
  auto s32 = [](int x) { return x; };
  auto same = [](auto x) { return int(x); };
  auto fromHalf = [](uint16_t x) { return int(F16{x}.value()); };
  checkWmma<uint16_t, float>(machine, "half16", 16, 16, 16, false, true, half,
                             f32, same);
  checkWmma<uint16_t, float>(machine, "half8", 8, 32, 16, true, false, half,
                             f32, same);
  checkWmma<uint16_t, uint16_t>(machine, "half32", 32, 8, 16, false, false,
                                half, half, fromHalf);
  checkWmma<uint16_t, float>(machine, "bf16", 16, 16, 16, false, true, bfloat,
                             f32, same);
  checkWmma<float, float>(machine, "tf32", 16, 16, 8, false, true, f32, f32,
                          same);
  checkWmma<int8_t, int32_t>(machine, "int8", 16, 16, 16, false, true, s8, s32,
                             same);
  checkWmma<double, double>(machine, "f64", 8, 8, 4, false, true, f64, f64,
                            same);
}

} // namespace
