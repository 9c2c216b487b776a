//===- IntegerVideo.cpp - SIMD video instructions: vadd4, vabsdiff4, ... --===//
//
// Without masks and selectors: all lanes, in order. Nothing newer than sm_30
// has them in hardware, but CUDA's __vsadu4 and its like are made of them.
//
//===----------------------------------------------------------------------===//
#include "Bind.h"

#include <algorithm>
#include <cstdlib>

namespace kclaw::sim {

namespace {

constexpr auto add = [](int64_t a, int64_t b) { return a + b; };
constexpr auto sub = [](int64_t a, int64_t b) { return a - b; };
/// Halves away from zero.
constexpr auto average = [](int64_t a, int64_t b) {
  return (a + b + (a + b >= 0)) >> 1;
};
constexpr auto difference = [](int64_t a, int64_t b) {
  return std::abs(a - b);
};
constexpr auto minimum = [](int64_t a, int64_t b) { return std::min(a, b); };
constexpr auto maximum = [](int64_t a, int64_t b) { return std::max(a, b); };

enum : uint8_t { SignedD = 1, SignedA = 2, SignedB = 4, Sat = 8, Sum = 16 };

int64_t part(uint32_t x, unsigned shift, unsigned width, bool isSigned) {
  uint32_t up = x << (32 - width - shift);
  return isSigned ? int64_t(int32_t(up) >> (32 - width)) : up >> (32 - width);
}

template <class Op, unsigned width> void runVideo(Warp &w, const Inst &i) {
  const uint32_t *a = w.in<uint32_t>(i.a), *b = w.in<uint32_t>(i.b),
                 *c = w.in<uint32_t>(i.c);
  constexpr uint32_t mask = (1u << width) - 1;
  int64_t most = i.small & SignedD ? mask >> 1 : mask;
  int64_t least = i.small & SignedD ? -most - 1 : 0;
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned l) {
    uint32_t d = i.small & Sum ? c[l] : 0;
    for (unsigned shift = 0; shift < 32; shift += width) {
      int64_t x = Op{}(part(a[l], shift, width, i.small & SignedA),
                       part(b[l], shift, width, i.small & SignedB));
      if (i.small & Sat)
        x = std::clamp(x, least, most);
      d = i.small & Sum ? d + uint32_t(x) : d | (uint32_t(x) & mask) << shift;
    }
    return d;
  });
}

template <auto op, unsigned width> void bindVideo(Builder &b) {
  bindTyped(b, runVideo<decltype(op), width>, Type::B32,
            {Type::B32, Type::B32, Type::B32});
  for (unsigned n = 0; n < 3; ++n)
    b.inst.small |= uint8_t(unsigned(isSigned(b.form.type(n))) << n);
  b.inst.small |= b.form.has("sat") ? Sat : 0;
  b.inst.small |= b.form.has("add") ? Sum : 0;
}

#define KCL_FORMS ".{u32,s32}.{u32,s32}.{u32,s32}.{sat,add}?"

constexpr InstClass kind = InstClass::Integer;
constexpr Row rows[] = {
    {"vadd4" KCL_FORMS, kind, bindVideo<add, 8>},
    {"vadd2" KCL_FORMS, kind, bindVideo<add, 16>},
    {"vsub4" KCL_FORMS, kind, bindVideo<sub, 8>},
    {"vsub2" KCL_FORMS, kind, bindVideo<sub, 16>},
    {"vavrg4" KCL_FORMS, kind, bindVideo<average, 8>},
    {"vavrg2" KCL_FORMS, kind, bindVideo<average, 16>},
    {"vabsdiff4" KCL_FORMS, kind, bindVideo<difference, 8>},
    {"vabsdiff2" KCL_FORMS, kind, bindVideo<difference, 16>},
    {"vmin4" KCL_FORMS, kind, bindVideo<minimum, 8>},
    {"vmin2" KCL_FORMS, kind, bindVideo<minimum, 16>},
    {"vmax4" KCL_FORMS, kind, bindVideo<maximum, 8>},
    {"vmax2" KCL_FORMS, kind, bindVideo<maximum, 16>},
};

} // namespace

std::span<const Row> integerVideoRows() { return rows; }

} // namespace kclaw::sim
