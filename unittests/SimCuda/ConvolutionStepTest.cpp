//===- ConvolutionStepTest.cpp - kcl_convolution_step against f64 loops ---===//
#include "SimCuda/Isa/Formats.h"
#include "SimCuda/Library/Steps.h"

#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace kclaw::sim;

namespace {

using Dims = std::array<int64_t, 3>;

struct Shape {
  int32_t spatial = 2;
  int64_t batch = 2, in = 6, out = 4, groups = 1;
  Dims size = {11, 9, 7}, kernel = {3, 2, 3}, stride = {1, 1, 1},
       dilation = {1, 1, 1}, before = {0, 0, 0}, after = {0, 0, 0},
       outputPadding = {0, 0, 0};
  bool transposed = false, channelsLast = false, bias = true;
};

int64_t product(const int64_t *dims, int32_t count) {
  int64_t all = 1;
  for (int32_t d = 0; d < count; ++d)
    all *= dims[d];
  return all;
}

/// A step over f32, tf32 or f64 buffers of its own; `T` is what they hold.
template <class T> struct Convolution {
  explicit Convolution(const Shape &shape, bool tf32 = false) {
    step.element = sizeof(T) == 8 ? KCL_F64 : KCL_F32;
    step.tf32 = tf32;
    step.transposed = shape.transposed;
    step.channels_last = shape.channelsLast;
    step.spatial = shape.spatial;
    step.batch = shape.batch;
    step.in_channels = shape.in;
    step.out_channels = shape.out;
    step.groups = shape.groups;
    for (int32_t d = 0; d < shape.spatial; ++d) {
      auto i = size_t(d);
      step.in[d] = shape.size[i];
      step.kernel[d] = shape.kernel[i];
      step.stride[d] = shape.stride[i];
      step.dilation[d] = shape.dilation[i];
      step.pad_before[d] = shape.before[i];
      step.pad_after[d] = shape.after[i];
      int64_t reach = shape.dilation[i] * (shape.kernel[i] - 1) + 1,
              pad = shape.before[i] + shape.after[i];
      step.out[d] = shape.transposed
                        ? (step.in[d] - 1) * step.stride[d] - pad + reach +
                              shape.outputPadding[i]
                        : (step.in[d] + pad - reach) / step.stride[d] + 1;
    }
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    auto fill = [&](std::vector<T> &values, int64_t count) {
      values.resize(size_t(count));
      for (T &x : values)
        x = T(uniform(random));
    };
    fill(input, shape.batch * shape.in * product(step.in, shape.spatial));
    fill(weight, shape.in * shape.out / shape.groups *
                     product(step.kernel, shape.spatial));
    fill(bias, shape.out);
    output.resize(
        size_t(shape.batch * shape.out * product(step.out, shape.spatial)));
    step.input = input.data();
    step.weight = weight.data();
    step.bias = shape.bias ? bias.data() : nullptr;
    step.output = output.data();
  }

  double operand(T x) const {
    return step.tf32 ? valueOf(tf32Format,
                               roundTo(tf32Format, double(x), RoundTo::Away))
                     : double(x);
  }
  size_t index(int64_t outer, int64_t channel, int64_t channels, int64_t place,
               int64_t places) const {
    return size_t(step.channels_last
                      ? (outer * places + place) * channels + channel
                      : (outer * channels + channel) * places + place);
  }
  /// place + tap: from each input (transposed) or output to where it goes.
  static bool move(const int64_t *from, const int64_t *to,
                   const int64_t *kernel, const kcl_convolution_step &s,
                   int64_t place, int64_t tap, int64_t &target) {
    int64_t scale = 1;
    target = 0;
    for (int32_t d = s.spatial; d-- > 0;) {
      int64_t at = place % from[d] * s.stride[d] - s.pad_before[d] +
                   tap % kernel[d] * s.dilation[d];
      place /= from[d];
      tap /= kernel[d];
      if (at < 0 || at >= to[d])
        return false;
      target += at * scale;
      scale *= to[d];
    }
    return true;
  }
  /// As the definition has it: scattered (transposed) or gathered.
  std::vector<double> expected() const {
    const kcl_convolution_step &s = step;
    int64_t ins = product(s.in, s.spatial), outs = product(s.out, s.spatial),
            taps = product(s.kernel, s.spatial);
    int64_t inGroup = s.in_channels / s.groups,
            outGroup = s.out_channels / s.groups;
    std::vector<double> result(output.size());
    for (int64_t n = 0; n < s.batch; ++n)
      for (int64_t o = 0; o < s.out_channels; ++o) {
        for (int64_t p = 0; p < outs && s.bias; ++p)
          result[index(n, o, s.out_channels, p, outs)] =
              double(bias[size_t(o)]);
        for (int64_t c = 0; c < inGroup; ++c)
          for (int64_t t = 0; t < taps; ++t) {
            int64_t in = o / outGroup * inGroup + c;
            double w = operand(
                weight[s.transposed ? index(in, o % outGroup, outGroup, t, taps)
                                    : index(o, c, inGroup, t, taps)]);
            int64_t count = s.transposed ? ins : outs, there = 0;
            for (int64_t p = 0; p < count; ++p) {
              if (!(s.transposed ? move(s.in, s.out, s.kernel, s, p, t, there)
                                 : move(s.out, s.in, s.kernel, s, p, t, there)))
                continue;
              int64_t from = s.transposed ? p : there,
                      to = s.transposed ? there : p;
              result[index(n, o, s.out_channels, to, outs)] +=
                  w * operand(input[index(n, in, s.in_channels, from, ins)]);
            }
          }
      }
    return result;
  }
  void check(double tolerance) {
    ASSERT_EQ(problemOf(step), "");
    run(step, 2);
    std::vector<double> want = expected();
    for (size_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(double(output[i]), want[i], tolerance) << "element " << i;
  }
  kcl_convolution_step step = {};
  std::vector<T> input, weight, bias, output;
};

void checkAll(Shape shape) {
  for (bool last : {false, true}) {
    shape.channelsLast = last;
    Convolution<float>(shape).check(2e-5);
    Convolution<double>(shape).check(1e-13);
    Convolution<float>(shape, true).check(2e-5);
  }
}

TEST(ConvolutionStep, OneTwoAndThreeDims) {
  for (int32_t spatial : {1, 2, 3})
    checkAll({.spatial = spatial});
}
TEST(ConvolutionStep, StridesPaddingsDilations) {
  checkAll({.spatial = 3,
            .stride = {2, 1, 3},
            .dilation = {1, 2, 2},
            .before = {1, 0, 2},
            .after = {0, 2, 3}});
}
TEST(ConvolutionStep, GroupsAndDepthwise) {
  checkAll({.in = 6, .out = 4, .groups = 2});
  checkAll({.in = 6, .out = 12, .groups = 6, .before = {1, 1, 0}});
}
TEST(ConvolutionStep, TransposedWithOutputPadding) {
  checkAll({.stride = {2, 3, 1},
            .dilation = {2, 1, 1},
            .before = {1, 0, 0},
            .after = {2, 1, 0},
            .outputPadding = {1, 2, 0},
            .transposed = true});
  checkAll(
      {.spatial = 1, .groups = 2, .stride = {3, 1, 1}, .transposed = true});
  checkAll({.spatial = 3,
            .size = {4, 3, 5},
            .stride = {2, 2, 2},
            .transposed = true});
}
TEST(ConvolutionStep, ManyTermsAndPlaces) {
  checkAll(
      {.batch = 1, .in = 96, .out = 70, .size = {17, 19, 1}, .bias = false});
}
TEST(ConvolutionStep, Tf32Shows) {
  Shape shape;
  Convolution<float> rounded(shape, true), plain(shape);
  run(rounded.step, 1);
  run(plain.step, 1);
  EXPECT_NE(rounded.output, plain.output);
}
TEST(ConvolutionStep, HalvesSumInF32) {
  // 2048 + 1 is not an f16; 4096 ones and 2048 are.
  kcl_convolution_step s = {};
  s.element = KCL_F16;
  s.spatial = 1;
  s.batch = s.out_channels = s.groups = s.in[0] = s.out[0] = s.kernel[0] = 1;
  s.stride[0] = s.dilation[0] = 1;
  s.in_channels = 4097;
  std::vector<uint16_t> input(4097, 0x3c00), weight(4097, 0x3c00);
  input[0] = 0x6800; // 2048
  uint16_t output = 0;
  s.input = input.data();
  s.weight = weight.data();
  s.output = &output;
  ASSERT_EQ(problemOf(s), "");
  run(s, 1);
  EXPECT_EQ(output, 0x6e00); // 6144
}
TEST(ConvolutionStep, SameBitsWithAnyNumberOfThreads) {
  Convolution<float> c({.in = 32, .out = 80, .size = {20, 20, 1}});
  run(c.step, 1);
  std::vector<float> one = c.output;
  for (unsigned threads : {2u, 7u}) {
    std::fill(c.output.begin(), c.output.end(), 0.0f);
    run(c.step, threads);
    EXPECT_EQ(c.output, one) << threads;
  }
}
TEST(ConvolutionStep, ProblemsAreNamed) {
  auto problem = [](auto &&change) {
    Convolution<float> c{Shape{}};
    change(c.step);
    return problemOf(c.step);
  };
  using S = kcl_convolution_step;
  EXPECT_EQ(problem([](S &) {}), "");
  EXPECT_NE(problem([](S &s) { s.spatial = 4; }).find("1, 2 or 3"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) { s.groups = 4; }).find("groups"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) { s.element = KCL_I8; }).find("no convolution"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) { s.out[1] += 1; }).find("spatial dim 1"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) { s.stride[0] = 0; }).find("spatial dim 0"),
            std::string::npos);
  EXPECT_NE(problem([](S &s) { s.transposed = 1; }).find("must be from"),
            std::string::npos);
}

} // namespace
