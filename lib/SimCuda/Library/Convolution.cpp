//===- Convolution.cpp - kcl_convolution_step on the host -----------------===//
//
// A product for each image and group: weights (out channels x terms) by the
// inputs that each output sees (terms x outputs). A term is an input channel of
// the group and a place in the kernel.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "Steps.h"
#include "TileProduct.h"

#include <algorithm>
#include <array>

namespace kclaw::sim {

namespace {

using Place = std::array<int64_t, 3>;

/// The step with all three spatial dims filled in.
struct Shape : kcl_convolution_step {
  explicit Shape(const kcl_convolution_step &s) : kcl_convolution_step(s) {
    for (int d = spatial; d < 3; ++d) {
      in[d] = out[d] = kernel[d] = stride[d] = dilation[d] = 1;
      pad_before[d] = pad_after[d] = 0;
    }
  }
  static int64_t count(const int64_t *dims) {
    return dims[0] * dims[1] * dims[2];
  }
  static Place place(const int64_t *dims, int64_t linear) {
    return {linear / (dims[1] * dims[2]), linear / dims[2] % dims[1],
            linear % dims[2]};
  }
  int64_t inGroup() const { return in_channels / groups; }
  int64_t outGroup() const { return out_channels / groups; }
  int64_t terms() const { return inGroup() * count(kernel); }

  /// Where output `o` meets the input at the kernel's first place, times the
  /// stride if transposed.
  Place origin(int64_t o) const {
    Place at = place(out, o);
    for (int d = 0; d < 3; ++d)
      at[d] = transposed ? at[d] + pad_before[d]
                         : at[d] * stride[d] - pad_before[d];
    return at;
  }
  /// Index of the input element there at `tap` times the dilation; -1: the
  /// padding, or (transposed) between two inputs.
  int64_t seen(const Place &origin, const Place &tap) const {
    int64_t linear = 0;
    for (int d = 0; d < 3; ++d) {
      int64_t at = transposed ? origin[d] - tap[d] : origin[d] + tap[d];
      if (transposed && stride[d] > 1) {
        if (at % stride[d])
          return -1;
        at /= stride[d];
      }
      if (uint64_t(at) >= uint64_t(in[d]))
        return -1;
      linear = linear * in[d] + at;
    }
    return linear;
  }
  /// Of (image, channel, place) in a tensor of that many.
  int64_t elementAt(int64_t image, int64_t channel, int64_t place,
                    int64_t channels, int64_t places) const {
    return channels_last ? (image * places + place) * channels + channel
                         : (image * channels + channel) * places + place;
  }
  int64_t weightElement(int64_t group, int64_t out, int64_t in,
                        int64_t place) const {
    int64_t first =
        transposed ? group * inGroup() + in : group * outGroup() + out;
    return elementAt(first, transposed ? out : in, place,
                     transposed ? outGroup() : inGroup(), count(kernel));
  }
};

template <class Operand, class Result, class T>
void runAs(const Shape &s, unsigned threads) {
  using P = TileProduct<T>;
  const auto *input = static_cast<const Operand *>(s.input);
  const auto *weight = static_cast<const Operand *>(s.weight);
  const auto *bias = static_cast<const Result *>(s.bias);
  auto *output = static_cast<Result *>(s.output);
  const int64_t taps = Shape::count(s.kernel), places = Shape::count(s.out);
  P product;
  product.batch = s.batch * s.groups;
  product.m = s.outGroup();
  product.n = places;
  product.k = s.terms();
  product.left = [&](int64_t batch, Span i, Span p, T *to) {
    for (int64_t x = 0; x < p.count; ++x) {
      int64_t group = batch % s.groups, in = (p.begin + x) / taps,
              tap = (p.begin + x) % taps;
      int64_t at = s.weightElement(group, i.begin, in, tap);
      int64_t step = s.weightElement(group, i.begin + 1, in, tap) - at;
      for (int64_t y = 0; y < i.count; ++y)
        to[y * P::depth + x] = T(weight[at + y * step].value());
    }
  };
  product.right = [&](int64_t batch, Span p, Span j, T *to) {
    int64_t image = batch / s.groups, group = batch % s.groups;
    std::array<Place, P::columns> origins;
    for (int64_t x = 0; x < j.count; ++x)
      origins[size_t(x)] = s.origin(j.begin + x);
    for (int64_t y = 0; y < p.count; ++y) {
      int64_t term = p.begin + y;
      Place tap = Shape::place(s.kernel, term % taps);
      for (int d = 0; d < 3; ++d)
        tap[d] *= s.dilation[d];
      int64_t channel = group * s.inGroup() + term / taps;
      int64_t first =
          s.elementAt(image, channel, 0, s.in_channels, Shape::count(s.in));
      int64_t step = s.channels_last ? s.in_channels : 1;
      for (int64_t x = 0; x < j.count; ++x) {
        int64_t at = s.seen(origins[size_t(x)], tap);
        to[y * P::columns + x] =
            at < 0 ? T(0) : T(input[first + at * step].value());
      }
    }
  };
  product.result = [&](int64_t batch, Span i, Span j, const T *sums) {
    int64_t image = batch / s.groups, group = batch % s.groups;
    for (int64_t y = 0; y < i.count; ++y) {
      int64_t channel = group * s.outGroup() + i.begin + y;
      T add = bias ? T(bias[channel].value()) : T(0);
      for (int64_t x = 0; x < j.count; ++x) {
        T value = sums[y * P::columns + x];
        output[s.elementAt(image, channel, j.begin + x, s.out_channels,
                           places)] =
            roundedTo<Result>(bias ? value + add : value);
      }
    }
  };
  product.run(threads);
}

std::string problemOfDim(const Shape &s, int d) {
  auto text = [&](const std::string &what) {
    return what + " in spatial dim " + std::to_string(d);
  };
  if (s.in[d] < 1 || s.kernel[d] < 1 || s.stride[d] < 1 || s.dilation[d] < 1 ||
      s.pad_before[d] < 0 || s.pad_after[d] < 0 || s.out[d] < 1)
    return text("in, out, kernel, stride and dilation of at least 1 and "
                "paddings of at least 0 are needed");
  int64_t reach = s.dilation[d] * (s.kernel[d] - 1) + 1,
          pad = s.pad_before[d] + s.pad_after[d];
  if (!s.transposed) {
    int64_t room = s.in[d] + pad - reach;
    if (room < 0 || s.out[d] != room / s.stride[d] + 1)
      return text("out = " + std::to_string(s.out[d]) +
                  " is not (in + padding - reach) / stride + 1");
    return {};
  }
  int64_t least = (s.in[d] - 1) * s.stride[d] - pad + reach;
  if (s.out[d] < least ||
      s.out[d] - least >= std::max(s.stride[d], s.dilation[d]))
    return text("out = " + std::to_string(s.out[d]) + " must be from " +
                std::to_string(least) +
                " to less than max(stride, dilation) "
                "more");
  return {};
}

struct Kind {
  int32_t element, tf32;
  void (*run)(const Shape &, unsigned threads);
};
constexpr Kind kinds[] = {
    {KCL_F64, 0, runAs<Plain<double>, Plain<double>, double>},
    {KCL_F32, 0, runAs<Plain<float>, Plain<float>, float>},
    {KCL_F32, 1, runAs<Tf32, Plain<float>, float>},
    {KCL_F16, 0, runAs<F16, F16, float>},
    {KCL_BF16, 0, runAs<BF16, BF16, float>},
};

const Kind *kindOf(const kcl_convolution_step &s) {
  for (const Kind &kind : kinds)
    if (kind.element == s.element && kind.tf32 == s.tf32)
      return &kind;
  return nullptr;
}

} // namespace

std::string problemOf(const kcl_convolution_step &step) {
  if (step.spatial < 1 || step.spatial > 3)
    return "spatial = " + std::to_string(step.spatial) + " must be 1, 2 or 3";
  if (!kindOf(step))
    return "no convolution of element " + std::to_string(step.element) +
           " with tf32 = " + std::to_string(step.tf32) +
           "; kcl_steps.h lists what there is";
  if (step.batch < 0 || step.groups < 1 || step.in_channels < 1 ||
      step.out_channels < 1 || step.in_channels % step.groups ||
      step.out_channels % step.groups)
    return std::to_string(step.in_channels) + " input and " +
           std::to_string(step.out_channels) +
           " output channels do not divide into " +
           std::to_string(step.groups) + " groups";
  Shape shape(step);
  for (int d = 0; d < step.spatial; ++d)
    if (std::string problem = problemOfDim(shape, d); !problem.empty())
      return problem;
  return {};
}

std::vector<Extent> extents(const kcl_convolution_step &step) {
  if (!step.batch)
    return {};
  Shape s(step);
  uint64_t bytes = elementBytes(s.element);
  auto dense = [&](const char *name, const void *data, int64_t elements,
                   bool written) {
    return Extent{name, data, uint64_t(elements) * bytes, 0, 1, bytes, written};
  };
  std::vector<Extent> all = {
      dense("input", s.input, s.batch * s.in_channels * Shape::count(s.in),
            false),
      dense("weight", s.weight, s.out_channels * s.terms(), false),
      dense("output", s.output, s.batch * s.out_channels * Shape::count(s.out),
            true)};
  if (s.bias)
    all.push_back(dense("bias", s.bias, s.out_channels, false));
  return all;
}

void run(const kcl_convolution_step &step, unsigned threads) {
  kindOf(step)->run(Shape(step), threads);
}

double multiplyAdds(const kcl_convolution_step &step) {
  Shape s(step);
  int64_t places = s.transposed ? Shape::count(s.in) : Shape::count(s.out);
  return double(s.batch) * double(s.out_channels) * double(places) *
         double(s.terms());
}

} // namespace kclaw::sim
