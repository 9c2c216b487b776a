//===- ConvertPacked.cpp - cvt to pairs, tf32 and 8-bit floats; cvt.pack --===//
#include "Bind.h"
#include "Formats.h"
#include "HalfTypes.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

/// One element: relu and satfinite act on the number before it is rounded.
template <const Format &format, RoundTo mode, bool relu, bool finite>
uint32_t element(double x) {
  if (relu && x < 0)
    x = 0;
  auto bits = uint32_t(roundTo(format, x, mode));
  auto magnitude = bits & uint32_t(format.sign() - 1);
  if (finite && magnitude > format.largest && x == x)
    bits = (bits & uint32_t(format.sign())) | uint32_t(format.largest);
  if (relu && x == x)
    bits &= ~uint32_t(format.sign()); // -0 too
  return bits;
}
/// The two that GEMM epilogues are full of, as vector code.
template <> uint32_t element<f16Format, RoundTo::Even, false, false>(double x) {
  return F16::fromFloat(float(x)).bits;
}
template <>
uint32_t element<bf16Format, RoundTo::Even, false, false>(double x) {
  return BF16::fromFloat(float(x)).bits;
}

/// d, a, b: a becomes the upper half.
template <class D, const Format &format, RoundTo mode, bool relu, bool finite>
void runPair(Warp &w, const Inst &i) {
  const float *a = w.in<float>(i.a), *b = w.in<float>(i.b);
  eachLane(w, w.out<D>(i.d), [&](unsigned l) {
    return D(element<format, mode, relu, finite>(a[l]) << (sizeof(D) * 4) |
             element<format, mode, relu, finite>(b[l]));
  });
}
template <class D, const Format &format, RoundTo mode, bool relu, bool finite>
void runOne(Warp &w, const Inst &i) {
  const float *a = w.in<float>(i.a);
  eachLane(w, w.out<D>(i.d), [&](unsigned l) {
    return D(element<format, mode, relu, finite>(a[l]));
  });
}
/// tf32 in the upper bits of a 32-bit register.
template <class D, const Format &, RoundTo mode, bool relu, bool finite>
void runTf32(Warp &w, const Inst &i) {
  const float *a = w.in<float>(i.a);
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned l) {
    return element<tf32Format, mode, relu, finite>(a[l]) << 13;
  });
}
/// Ties away: an addition on the bits, which leaves NaN and infinity alone.
/// .satfinite takes one from what is infinite then, and from a NaN as well.
template <bool finite> void runTf32Away(Warp &w, const Inst &i) {
  const uint32_t *a = w.in<uint32_t>(i.a);
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned l) {
    uint32_t x = a[l];
    x += (x & 0x7fffffffu) < 0x7f800000u ? 0x1000 : 0;
    x &= 0xffffe000u;
    return finite && (x & 0x7fffffffu) >= 0x7f800000u ? x - 0x2000 : x;
  });
}

/// Chooses among the instantiations of a run template.
#define KCL_CHOOSE(run, D, format)                                             \
  [](Builder &b) -> Handler {                                                  \
    bool relu = b.form.has("relu"), finite = b.form.has("satfinite");          \
    if (b.form.has("rz"))                                                      \
      return relu     ? finite ? run<D, format, RoundTo::Zero, true, true>     \
                               : run<D, format, RoundTo::Zero, true, false>    \
             : finite ? run<D, format, RoundTo::Zero, false, true>             \
                      : run<D, format, RoundTo::Zero, false, false>;           \
    return relu     ? finite ? run<D, format, RoundTo::Even, true, true>       \
                             : run<D, format, RoundTo::Even, true, false>      \
           : finite ? run<D, format, RoundTo::Even, false, true>               \
                    : run<D, format, RoundTo::Even, false, false>;             \
  }(b)

void bindPair(Builder &b) {
  bool bf16 = b.form.has("bf16x2");
  bindTyped(b,
            bf16 ? KCL_CHOOSE(runPair, uint32_t, bf16Format)
                 : KCL_CHOOSE(runPair, uint32_t, f16Format),
            Type::B32, {Type::F32, Type::F32});
}
void bindOne(Builder &b) {
  bool bf16 = b.form.has("bf16");
  bindTyped(b,
            bf16 ? KCL_CHOOSE(runOne, uint16_t, bf16Format)
                 : KCL_CHOOSE(runOne, uint16_t, f16Format),
            Type::B16, {Type::F32});
}
void bindTf32(Builder &b) {
  bindTyped(b, KCL_CHOOSE(runTf32, uint32_t, tf32Format), Type::B32,
            {Type::F32});
}
void bindTf32Away(Builder &b) {
  bindTyped(b, b.form.has("satfinite") ? runTf32Away<true> : runTf32Away<false>,
            Type::B32, {Type::F32});
}
void bindBytes(Builder &b) {
  bindTyped(b,
            b.form.has("e4m3x2") ? KCL_CHOOSE(runPair, uint16_t, e4m3Format)
                                 : KCL_CHOOSE(runPair, uint16_t, e5m2Format),
            Type::B16, {Type::F32, Type::F32});
}

/// e4m3x2.f16x2
template <const Format &format, bool relu>
void runBytesFromHalves(Warp &w, const Inst &i) {
  const uint32_t *a = w.in<uint32_t>(i.a);
  eachLane(w, w.out<uint16_t>(i.d), [&](unsigned l) {
    auto half = [&](uint32_t x) {
      return element<format, RoundTo::Even, relu, true>(
          F16{uint16_t(x)}.value());
    };
    return uint16_t(half(a[l] >> 16) << 8 | half(a[l]));
  });
}
template <const Format &format, bool relu>
void runHalvesFromBytes(Warp &w, const Inst &i) {
  const uint16_t *a = w.in<uint16_t>(i.a);
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned l) {
    auto byte = [&](unsigned x) {
      return element<f16Format, RoundTo::Even, relu, false>(
          valueOf(format, x & 0xff));
    };
    return byte(a[l] >> 8) << 16 | byte(a[l]);
  });
}
void bindBytesFromHalves(Builder &b) {
  bool relu = b.form.has("relu");
  bindTyped(b,
            b.form.has("e4m3x2") ? relu ? runBytesFromHalves<e4m3Format, true>
                                        : runBytesFromHalves<e4m3Format, false>
            : relu               ? runBytesFromHalves<e5m2Format, true>
                                 : runBytesFromHalves<e5m2Format, false>,
            Type::B16, {Type::B32});
}
void bindHalvesFromBytes(Builder &b) {
  bool relu = b.form.has("relu");
  bindTyped(b,
            b.form.has("e4m3x2") ? relu ? runHalvesFromBytes<e4m3Format, true>
                                        : runHalvesFromBytes<e4m3Format, false>
            : relu               ? runHalvesFromBytes<e5m2Format, true>
                                 : runHalvesFromBytes<e5m2Format, false>,
            Type::B32, {Type::B16});
}

/// cvt.pack: b saturated in the low bits, a above it, c's low bits above both.
template <unsigned width, bool isSigned> void runPack(Warp &w, const Inst &i) {
  const int32_t *a = w.in<int32_t>(i.a), *b = w.in<int32_t>(i.b);
  const uint32_t *c = i.c == noRef ? nullptr : w.in<uint32_t>(i.c);
  constexpr int32_t most = (1 << (width - isSigned)) - 1;
  constexpr int32_t least = isSigned ? -most - 1 : 0;
  constexpr uint32_t mask = (1u << width) - 1;
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned l) {
    uint32_t high = uint32_t(std::clamp(a[l], least, most)) & mask;
    uint32_t low = uint32_t(std::clamp(b[l], least, most)) & mask;
    uint32_t rest = 0;
    if constexpr (width < 16)
      rest = c ? c[l] << (2 * width) : 0;
    return rest | high << width | low;
  });
}
template <unsigned width, bool isSigned> void bindPack(Builder &b) {
  bindTyped(b, runPack<width, isSigned>, Type::B32, {Type::S32, Type::S32});
  if (width < 16)
    b.inst.c = b.source(3, Type::B32);
}

constexpr InstClass kind = InstClass::Convert;
constexpr Row rows[] = {
    {"cvt.{rn,rz}.relu?.satfinite?.{f16x2,bf16x2}.f32", kind, bindPair},
    {"cvt.{rn,rz}.relu?.satfinite?.{f16,bf16}.f32", kind, bindOne},
    {"cvt.rna.satfinite?.tf32.f32", kind, bindTf32Away},
    {"cvt.{rn,rz}.satfinite?.relu?.tf32.f32", kind, bindTf32},
    {"cvt.{rn,rz}.relu.satfinite.tf32.f32", kind, bindTf32}, // LLVM's order
    {"cvt.rn.satfinite.relu?.{e4m3x2,e5m2x2}.f32", kind, bindBytes},
    {"cvt.rn.satfinite.relu?.{e4m3x2,e5m2x2}.f16x2", kind, bindBytesFromHalves},
    {"cvt.rn.relu?.f16x2.{e4m3x2,e5m2x2}", kind, bindHalvesFromBytes},
    {"cvt.pack.sat.u16.s32", kind, bindPack<16, false>},
    {"cvt.pack.sat.s16.s32", kind, bindPack<16, true>},
    {"cvt.pack.sat.u8.s32.b32", kind, bindPack<8, false>},
    {"cvt.pack.sat.s8.s32.b32", kind, bindPack<8, true>},
    {"cvt.pack.sat.u4.s32.b32", kind, bindPack<4, false>},
    {"cvt.pack.sat.s4.s32.b32", kind, bindPack<4, true>},
    {"cvt.pack.sat.u2.s32.b32", kind, bindPack<2, false>},
    {"cvt.pack.sat.s2.s32.b32", kind, bindPack<2, true>},
};

} // namespace

std::span<const Row> convertPackedRows() { return rows; }

} // namespace kclaw::sim
