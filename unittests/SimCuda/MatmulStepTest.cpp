//===- MatmulStepTest.cpp - kcl_matmul_step against f64 loops -------------===//
#include "SimCuda/Isa/Formats.h"
#include "SimCuda/Isa/HalfTypes.h"
#include "SimCuda/Library/Steps.h"

#include <gtest/gtest.h>
#include <random>

using namespace kclaw::sim;

namespace {

/// Any of the element types; values are doubles that the type holds.
struct Numbers {
  Numbers(int32_t element, size_t count, double lowest, double highest)
      : element(element), bytes(count * 8) {
    std::mt19937 random(unsigned(count) * 31 + unsigned(element));
    std::uniform_real_distribution<double> uniform(lowest, highest);
    for (size_t i = 0; i < count; ++i)
      set(i, uniform(random));
  }
  template <class T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
  template <class T> const T *as() const {
    return reinterpret_cast<const T *>(bytes.data());
  }
  void set(size_t i, double x) {
    switch (element) {
    case KCL_F64:
      as<double>()[i] = x;
      break;
    case KCL_F32:
      as<float>()[i] = float(x);
      break;
    case KCL_F16:
      as<uint16_t>()[i] = uint16_t(roundTo(f16Format, x, RoundTo::Even));
      break;
    case KCL_BF16:
      as<uint16_t>()[i] = uint16_t(roundTo(bf16Format, x, RoundTo::Even));
      break;
    case KCL_I8:
      as<int8_t>()[i] = int8_t(x);
      break;
    case KCL_I32:
      as<int32_t>()[i] = int32_t(x);
      break;
    }
  }
  double get(size_t i) const {
    switch (element) {
    case KCL_F64:
      return as<double>()[i];
    case KCL_F32:
      return as<float>()[i];
    case KCL_F16:
      return valueOf(f16Format, as<uint16_t>()[i]);
    case KCL_BF16:
      return valueOf(bf16Format, as<uint16_t>()[i]);
    case KCL_I8:
      return as<int8_t>()[i];
    default:
      return as<int32_t>()[i];
    }
  }
  int32_t element;
  std::vector<unsigned char> bytes;
};

double roundTf32(double x) {
  return valueOf(tf32Format, roundTo(tf32Format, x, RoundTo::Away));
}

struct Shape {
  int64_t m = 37, n = 150, k = 300, batch = 1;
  bool transposeA = false, transposeB = false;
  double alpha = 1, beta = 0;
  int32_t epilogue = KCL_EPILOGUE_NONE;
};

/// A step over its own buffers; rows are padded by 3 elements.
struct Product {
  Product(int32_t compute, int32_t operand, int32_t result, Shape shape,
          double range = 1)
      : shape(shape),
        a(operand,
          size_t(shape.batch * strideOf(shape.m, shape.k, shape.transposeA)),
          -range, range),
        b(operand,
          size_t(shape.batch * strideOf(shape.k, shape.n, shape.transposeB)),
          -range, range),
        c(result, size_t(shape.batch * strideOf(shape.m, shape.n, false)), -2,
          2),
        d(result, size_t(shape.batch * strideOf(shape.m, shape.n, false)), 0,
          0),
        bias(result, size_t(shape.n), -1, 1) {
    step.a = matrix(a, shape.m, shape.k, shape.transposeA);
    step.b = matrix(b, shape.k, shape.n, shape.transposeB);
    step.c = matrix(c, shape.m, shape.n, false);
    step.d = matrix(d, shape.m, shape.n, false);
    step.m = shape.m;
    step.n = shape.n;
    step.k = shape.k;
    step.batch = shape.batch;
    step.alpha = shape.alpha;
    step.beta = shape.beta;
    step.compute = compute;
    step.epilogue = shape.epilogue;
    step.bias = bias.bytes.data();
  }
  static int64_t strideOf(int64_t rows, int64_t columns, bool transposed) {
    return transposed ? columns * (rows + 3) : rows * (columns + 3);
  }
  static kcl_matrix matrix(Numbers &from, int64_t rows, int64_t columns,
                           bool transposed) {
    return {from.bytes.data(), (transposed ? rows : columns) + 3,
            strideOf(rows, columns, transposed), from.element, transposed};
  }
  double at(const kcl_matrix &of, const Numbers &in, int64_t batch, int64_t y,
            int64_t x) const {
    double value =
        in.get(size_t(batch * of.batch_stride +
                      (of.transposed ? x * of.ld + y : y * of.ld + x)));
    return step.compute == KCL_COMPUTE_TF32 && &in != &c && &in != &d
               ? roundTf32(value)
               : value;
  }
  /// The exact result before it is rounded, and the size of its terms.
  std::pair<double, double> expected(int64_t batch, int64_t y,
                                     int64_t x) const {
    double sum = 0, size = 0;
    for (int64_t p = 0; p < shape.k; ++p) {
      double term = at(step.a, a, batch, y, p) * at(step.b, b, batch, p, x);
      sum += term;
      size += std::fabs(term);
    }
    sum = shape.alpha * sum;
    size *= std::fabs(shape.alpha);
    if (shape.beta != 0)
      sum += shape.beta * at(step.c, c, batch, y, x);
    int32_t e = shape.epilogue;
    if (e == KCL_EPILOGUE_BIAS || e == KCL_EPILOGUE_BIAS_RELU ||
        e == KCL_EPILOGUE_BIAS_GELU)
      sum += bias.get(size_t(x));
    if (e == KCL_EPILOGUE_RELU || e == KCL_EPILOGUE_BIAS_RELU)
      sum = std::max(sum, 0.0);
    if (e == KCL_EPILOGUE_GELU || e == KCL_EPILOGUE_BIAS_GELU)
      sum *= 0.5 * (1 + std::tanh(0.79788456080286536 *
                                  (sum + 0.044715 * sum * sum * sum)));
    return {sum, size + 4};
  }
  /// All results within `units` of the sum's size, then rounded to D.
  void check(double units, double relative = 0) {
    ASSERT_EQ(problemOf(step), "");
    run(step, 2);
    for (int64_t g = 0; g < shape.batch; ++g)
      for (int64_t y = 0; y < shape.m; ++y) {
        EXPECT_EQ(at(step.d, d, g, y, shape.n), 0) << "behind row " << y;
        for (int64_t x = 0; x < shape.n; ++x) {
          auto [want, size] = expected(g, y, x);
          ASSERT_NEAR(at(step.d, d, g, y, x), want,
                      units * size + relative * std::fabs(want))
              << "batch " << g << " row " << y << " column " << x;
        }
      }
  }
  Shape shape;
  Numbers a, b, c, d, bias;
  kcl_matmul_step step = {};
};

constexpr double unit32 = 0x1p-24, unit64 = 0x1p-53;

TEST(MatmulStep, F32SumsInF32) {
  Product(KCL_COMPUTE_F32, KCL_F32, KCL_F32, {}).check(16 * unit32);
}
TEST(MatmulStep, F64SumsInF64) {
  Product(KCL_COMPUTE_F64, KCL_F64, KCL_F64, {}).check(16 * unit64);
}
TEST(MatmulStep, HalvesAreRoundedOnceAtTheEnd) {
  Product(KCL_COMPUTE_F32, KCL_F16, KCL_F16, {}).check(16 * unit32, 0x1p-11);
  Product(KCL_COMPUTE_F32, KCL_BF16, KCL_BF16, {}).check(16 * unit32, 0x1p-8);
  Product(KCL_COMPUTE_F32, KCL_F16, KCL_F32, {}).check(16 * unit32);
  Product(KCL_COMPUTE_F32, KCL_BF16, KCL_F32, {}).check(16 * unit32);
}
TEST(MatmulStep, Tf32RoundsOperandsAndNothingElse) {
  Product(KCL_COMPUTE_TF32, KCL_F32, KCL_F32, {}).check(16 * unit32);
  // The rounding shows: the f32 product of the same operands differs.
  Product tf32(KCL_COMPUTE_TF32, KCL_F32, KCL_F32, {}),
      f32(KCL_COMPUTE_F32, KCL_F32, KCL_F32, {});
  run(tf32.step, 1);
  run(f32.step, 1);
  EXPECT_NE(tf32.d.bytes, f32.d.bytes);
}
TEST(MatmulStep, Tf32BitsTiesGoAwayFromZero) {
  Product p(KCL_COMPUTE_TF32, KCL_F32, KCL_F32, {1, 4, 1});
  p.b.as<float>()[0] = p.b.as<float>()[1] = 1;
  p.b.as<float>()[2] = p.b.as<float>()[3] = 1;
  const std::pair<uint32_t, uint32_t> bits[] = {{0x3f801000, 0x3f802000},
                                                {0x3f800fff, 0x3f800000},
                                                {0xbf803000, 0xbf804000},
                                                {0x7f7fffff, 0x7f800000}};
  for (auto [from, to] : bits) {
    p.a.as<uint32_t>()[0] = from;
    run(p.step, 1);
    EXPECT_EQ(p.d.as<uint32_t>()[0], to) << std::hex << from;
  }
}
TEST(MatmulStep, StoredTransposed) {
  for (auto [a, b] : {std::pair(false, true), {true, false}, {true, true}}) {
    Shape shape{.transposeA = a, .transposeB = b};
    Product(KCL_COMPUTE_F32, KCL_F32, KCL_F32, shape).check(16 * unit32);
    Product(KCL_COMPUTE_F64, KCL_F64, KCL_F64, shape).check(16 * unit64);
  }
}
TEST(MatmulStep, BatchesAndOperandsThatAllShare) {
  Shape shape{.m = 5, .n = 9, .k = 20, .batch = 7};
  Product(KCL_COMPUTE_F32, KCL_F16, KCL_F32, shape).check(16 * unit32);
  Product shared(KCL_COMPUTE_F32, KCL_F32, KCL_F32, shape);
  shared.step.b.batch_stride = 0;
  shared.check(16 * unit32);
}
TEST(MatmulStep, AlphaBetaAndEveryEpilogue) {
  for (int32_t e = KCL_EPILOGUE_NONE; e <= KCL_EPILOGUE_BIAS_GELU; ++e) {
    Shape shape{.m = 9, .k = 40, .alpha = 0.5, .beta = -2, .epilogue = e};
    Product(KCL_COMPUTE_F32, KCL_F32, KCL_F32, shape).check(32 * unit32);
    Product(KCL_COMPUTE_F32, KCL_BF16, KCL_BF16, shape)
        .check(32 * unit32, 0x1p-8);
    Product(KCL_COMPUTE_F64, KCL_F64, KCL_F64, shape).check(32 * unit64);
  }
}
TEST(MatmulStep, CMayBeD) {
  Product p(KCL_COMPUTE_F32, KCL_F32, KCL_F32, {.beta = 1});
  Numbers before = p.c;
  p.step.d = p.step.c;
  run(p.step, 2);
  Numbers result = p.c;
  p.c = before;
  for (int64_t x = 0; x < p.shape.n; ++x)
    EXPECT_NEAR(result.get(size_t(x)), p.expected(0, 0, x).first, 1e-4);
}
TEST(MatmulStep, BytesSumExactly) {
  Shape shape{.alpha = 3, .beta = -1};
  Product(KCL_COMPUTE_I32, KCL_I8, KCL_I32, shape, 128).check(0);
}
TEST(MatmulStep, NoTermsGiveBetaC) {
  Product(KCL_COMPUTE_F32, KCL_F32, KCL_F32, {.k = 0, .beta = 1}).check(unit32);
}
TEST(MatmulStep, NanOfOneRowStaysInIt) {
  Product p(KCL_COMPUTE_F32, KCL_F32, KCL_F32, {.epilogue = KCL_EPILOGUE_RELU});
  p.a.as<uint32_t>()[size_t(3 * p.step.a.ld)] = 0x7fc00000;
  run(p.step, 1);
  for (int64_t y = 0; y < p.shape.m; ++y)
    EXPECT_EQ(std::isnan(p.at(p.step.d, p.d, 0, y, 0)), y == 3) << y;
}
TEST(MatmulStep, SameBitsWithAnyNumberOfThreads) {
  Product p(KCL_COMPUTE_F32, KCL_F32, KCL_F32, {.m = 200, .n = 300, .k = 700});
  run(p.step, 1);
  auto one = p.d.bytes;
  for (unsigned threads : {2u, 3u, 16u}) {
    std::fill(p.d.bytes.begin(), p.d.bytes.end(), 0);
    run(p.step, threads);
    EXPECT_EQ(p.d.bytes, one) << threads;
  }
}
TEST(MatmulStep, ProblemsAreNamed) {
  auto problem = [](auto &&change) {
    Product p(KCL_COMPUTE_F32, KCL_F32, KCL_F32, {});
    change(p.step);
    return problemOf(p.step);
  };
  using S = kcl_matmul_step;
  EXPECT_EQ(problem([](S &) {}), "");
  EXPECT_NE(problem([](S &s) { s.k = -1; }).find("negative"),
            std::string::npos);
  EXPECT_NE(
      problem([](S &s) { s.a.element = KCL_F16; }).find("no such product"),
      std::string::npos);
  EXPECT_NE(problem([](S &s) { s.epilogue = 6; }).find("no epilogue 6"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) {
              s.epilogue = KCL_EPILOGUE_BIAS;
              s.bias = nullptr;
            }).find("bias"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) { s.b.ld = s.n - 1; }).find("B: rows of 150"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) { s.d.transposed = 1; }).find("D cannot"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) {
              s.batch = 2;
              s.d.batch_stride = 0;
            }).find("one place"),
            std::string::npos);
}

} // namespace
