//===- IntegerPacked.cpp - Two 16-bit or four 8-bit values in a register --===//
#include "Bind.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

/// The halves of a register, each through `op`.
template <class T, class Op> struct Halves {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    auto low = uint16_t(Op{}(T(a), T(b)));
    auto high = uint16_t(Op{}(T(a >> 16), T(b >> 16)));
    return uint32_t(high) << 16 | low;
  }
};
constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto minimum = [](auto a, auto b) { return std::min(a, b); };
constexpr auto maximum = [](auto a, auto b) { return std::max(a, b); };
constexpr auto minRelu = [](int16_t a, int16_t b) {
  return std::max<int16_t>(std::min(a, b), 0);
};
constexpr auto maxRelu = [](int16_t a, int16_t b) {
  return std::max<int16_t>(std::max(a, b), 0);
};
template <class T, auto op> void bindHalves(Builder &b) {
  bindTyped(b, runBinary<uint32_t, Halves<T, decltype(op)>>, Type::B32,
            {Type::B32, Type::B32});
}

/// c plus the products of the four bytes.
template <class A, class B> struct Dot4 {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    for (unsigned k = 0; k < 32; k += 8)
      c += uint32_t(int32_t(A(a >> k)) * int32_t(B(b >> k)));
    return c;
  }
};
/// c plus the products of a's two halves with two bytes of b.
template <class A, class B, unsigned shift> struct Dot2 {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    for (unsigned k = 0; k < 2; ++k)
      c += uint32_t(int32_t(A(a >> (k * 16)))) *
           uint32_t(int32_t(B(b >> (shift + k * 8))));
    return c;
  }
};

bool isSignedOperand(Builder &b, unsigned n) {
  return b.form.type(n) == Type::S32;
}
template <template <class, class> class Dot, class U, class S>
void bindDot(Builder &b) {
  bool signedA = isSignedOperand(b, 0), signedB = isSignedOperand(b, 1);
  Handler handler = signedA   ? signedB ? runTernary<uint32_t, Dot<S, int8_t>>
                                        : runTernary<uint32_t, Dot<S, uint8_t>>
                    : signedB ? runTernary<uint32_t, Dot<U, int8_t>>
                              : runTernary<uint32_t, Dot<U, uint8_t>>;
  bindTyped(b, handler, Type::B32, {Type::B32, Type::B32, Type::B32});
}
template <class A, class B> using Dot2Low = Dot2<A, B, 0>;
template <class A, class B> using Dot2High = Dot2<A, B, 16>;

/// Bytes 0 to 3 are a's, 4 to 7 b's; a selector's bit 3 copies the sign.
constexpr auto permute = [](uint32_t a, uint32_t b, uint32_t selectors) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t d = 0;
  for (unsigned k = 0; k < 4; ++k) {
    uint32_t selector = selectors >> (k * 4);
    auto byte = uint32_t(bytes >> ((selector & 7) * 8)) & 0xff;
    if (selector & 8)
      byte = byte & 0x80 ? 0xff : 0;
    d |= byte << (k * 8);
  }
  return d;
};
/// The modes, as the selectors that they stand for, by c's two low bits.
constexpr std::pair<std::string_view, std::array<uint16_t, 4>> modes[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
    {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
    {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
    {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};
template <size_t mode> struct PermuteMode {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    return permute(a, b, modes[mode].second[c & 3]);
  }
};
template <size_t mode> void bindPermuteMode(Builder &b) {
  bindTyped(b, runTernary<uint32_t, PermuteMode<mode>>, Type::B32,
            {Type::B32, Type::B32, Type::B32});
}
void bindPermute(Builder &b) {
  bindTyped(b, runTernary<uint32_t, decltype(permute)>, Type::B32,
            {Type::B32, Type::B32, Type::B32});
}

constexpr InstClass kind = InstClass::Integer;
constexpr Row rows[] = {
    {"add.{u16x2,s16x2}", kind, bindHalves<uint16_t, add>},
    {"min.u16x2", kind, bindHalves<uint16_t, minimum>},
    {"max.u16x2", kind, bindHalves<uint16_t, maximum>},
    {"min.s16x2", kind, bindHalves<int16_t, minimum>},
    {"max.s16x2", kind, bindHalves<int16_t, maximum>},
    {"min.relu.s16x2", kind, bindHalves<int16_t, minRelu>},
    {"max.relu.s16x2", kind, bindHalves<int16_t, maxRelu>},
    {"min.s16x2.relu", kind, bindHalves<int16_t, minRelu>}, // CUDA's headers
    {"max.s16x2.relu", kind, bindHalves<int16_t, maxRelu>},
    {"dp4a.{u32,s32}.{u32,s32}", kind, bindDot<Dot4, uint8_t, int8_t>},
    {"dp2a.lo.{u32,s32}.{u32,s32}", kind, bindDot<Dot2Low, uint16_t, int16_t>},
    {"dp2a.hi.{u32,s32}.{u32,s32}", kind, bindDot<Dot2High, uint16_t, int16_t>},
    {"prmt.b32", kind, bindPermute},
    {"prmt.b32.f4e", kind, bindPermuteMode<0>},
    {"prmt.b32.b4e", kind, bindPermuteMode<1>},
    {"prmt.b32.rc8", kind, bindPermuteMode<2>},
    {"prmt.b32.ecl", kind, bindPermuteMode<3>},
    {"prmt.b32.ecr", kind, bindPermuteMode<4>},
    {"prmt.b32.rc16", kind, bindPermuteMode<5>},
};

} // namespace

std::span<const Row> integerPackedRows() { return rows; }

} // namespace kclaw::sim
