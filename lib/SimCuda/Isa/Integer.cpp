//===- Integer.cpp - Integer arithmetic -----------------------------------===//
#include "Bind.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;

/// The type with twice the bits.
template <class T> struct Twice;
template <> struct Twice<uint8_t> {
  using type = uint16_t;
};
template <> struct Twice<int8_t> {
  using type = int16_t;
};
template <> struct Twice<uint16_t> {
  using type = uint32_t;
};
template <> struct Twice<int16_t> {
  using type = int32_t;
};
template <> struct Twice<uint32_t> {
  using type = uint64_t;
};
template <> struct Twice<int32_t> {
  using type = int64_t;
};
template <> struct Twice<uint64_t> {
  using type = unsigned __int128;
};
template <> struct Twice<int64_t> {
  using type = __int128;
};
template <class T> using TwiceOf = typename Twice<T>::type;

constexpr auto add = []<class T>(T a, T b) {
  return T(uint64_t(a) + uint64_t(b));
};
constexpr auto sub = []<class T>(T a, T b) {
  return T(uint64_t(a) - uint64_t(b));
};
constexpr auto mulLo = []<class T>(T a, T b) {
  return T(uint64_t(a) * uint64_t(b));
};
constexpr auto mulHi = []<class T>(T a, T b) {
  using W = TwiceOf<T>;
  return T((W(a) * W(b)) >> (sizeof(T) * 8));
};
constexpr auto madLo = []<class T>(T a, T b, T c) {
  return T(uint64_t(a) * uint64_t(b) + uint64_t(c));
};
/// The high half first, then the sum.
constexpr auto madHi = []<class T>(T a, T b, T c) {
  return add(mulHi(a, b), c);
};

int32_t clampTo32(int64_t x) {
  return int32_t(std::clamp<int64_t>(x, std::numeric_limits<int32_t>::min(),
                                     std::numeric_limits<int32_t>::max()));
}
constexpr auto addSat = [](int32_t a, int32_t b) {
  return clampTo32(int64_t(a) + b);
};
constexpr auto subSat = [](int32_t a, int32_t b) {
  return clampTo32(int64_t(a) - b);
};
constexpr auto madHiSat = [](int32_t a, int32_t b, int32_t c) {
  return clampTo32(int64_t(mulHi(a, b)) + c);
};

/// The low 24 bits as a number of the type.
constexpr auto low24 = []<class T>(T x) {
  return T(T(Unsigned<T>(x) << 8) >> 8);
};
constexpr auto mul24Lo = []<class T>(T a, T b) {
  return mulLo(low24(a), low24(b));
};
/// Bits 47..16 of the 48-bit product.
constexpr auto mul24Hi = []<class T>(T a, T b) {
  using W = TwiceOf<T>;
  return T((W(low24(a)) * W(low24(b))) >> 16);
};
constexpr auto mad24Lo = []<class T>(T a, T b, T c) {
  return add(mul24Lo(a, b), c);
};
constexpr auto mad24Hi = []<class T>(T a, T b, T c) {
  return add(mul24Hi(a, b), c);
};
constexpr auto mad24HiSat = [](int32_t a, int32_t b, int32_t c) {
  return clampTo32(int64_t(mul24Hi(a, b)) + c);
};

constexpr auto sad = []<class T>(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
};

/// A division by zero gives all ones, as the code that ptxas makes does.
constexpr auto div = []<class T>(T a, T b) {
  if (b == 0)
    return T(-1);
  if (std::is_signed_v<T> && b == T(-1))
    return sub(T(0), a);
  return T(a / b);
};
constexpr auto rem = []<class T>(T a, T b) {
  if (b == 0)
    return T(-1);
  if (std::is_signed_v<T> && b == T(-1))
    return T(0);
  return T(a % b);
};

constexpr auto neg = []<class T>(T a) { return sub(T(0), a); };
constexpr auto abs = []<class T>(T a) { return a < 0 ? sub(T(0), a) : a; };
constexpr auto minimum = []<class T>(T a, T b) { return a < b ? a : b; };
constexpr auto maximum = []<class T>(T a, T b) { return a > b ? a : b; };
constexpr auto minRelu = [](int32_t a, int32_t b) {
  return std::max(std::min(a, b), 0);
};
constexpr auto maxRelu = [](int32_t a, int32_t b) {
  return std::max(std::max(a, b), 0);
};

template <auto op> void bind32Binary(Builder &b) {
  bindSame(b, runBinary<int32_t, decltype(op)>, 2);
}
template <auto op> void bind32Ternary(Builder &b) {
  bindSame(b, runTernary<int32_t, decltype(op)>, 3);
}

/// mul.wide, mad.wide: operands of the type, result (and addend) of twice its
/// width.
template <class T, bool mad> void runWide(Warp &w, const Inst &i) {
  using D = TwiceOf<T>;
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  if constexpr (mad) {
    const D *c = w.in<D>(i.c);
    eachLane(w, w.out<D>(i.d),
             [&](unsigned l) { return add(D(D(a[l]) * D(b[l])), c[l]); });
  } else {
    eachLane(w, w.out<D>(i.d),
             [&](unsigned l) { return D(D(a[l]) * D(b[l])); });
  }
}
template <bool mad> void bindWide(Builder &b) {
  Type type = b.form.type();
  Type result = bits(type) == 32 ? Type::B64 : Type::B32;
  bindTyped(b, nullptr, result, {type, type});
  if (mad)
    b.inst.c = b.source(3, result);
  b.inst.handler = type == Type::U32   ? runWide<uint32_t, mad>
                   : type == Type::S32 ? runWide<int32_t, mad>
                   : type == Type::U16 ? runWide<uint16_t, mad>
                                       : runWide<int16_t, mad>;
}

#define KCL_INT "{u16,u32,u64,s16,s32,s64}"

constexpr InstClass kind = InstClass::Integer;
constexpr Row rows[] = {
    {"add." KCL_INT, kind, bindIntegerBinary<add>},
    {"add.sat.s32", kind, bind32Binary<addSat>},
    {"sub." KCL_INT, kind, bindIntegerBinary<sub>},
    {"sub.sat.s32", kind, bind32Binary<subSat>},
    {"mul.lo." KCL_INT, kind, bindIntegerBinary<mulLo>},
    {"mul.hi." KCL_INT, kind, bindIntegerBinary<mulHi>},
    {"mul.wide.{u16,u32,s16,s32}", kind, bindWide<false>},
    {"mad.lo." KCL_INT, kind, bindIntegerTernary<madLo>},
    {"mad.hi." KCL_INT, kind, bindIntegerTernary<madHi>},
    {"mad.hi.sat.s32", kind, bind32Ternary<madHiSat>},
    {"mad.wide.{u16,u32,s16,s32}", kind, bindWide<true>},
    {"mul24.lo.{u32,s32}", kind, bindIntegerBinary<mul24Lo>},
    {"mul24.hi.{u32,s32}", kind, bindIntegerBinary<mul24Hi>},
    {"mad24.lo.{u32,s32}", kind, bindIntegerTernary<mad24Lo>},
    {"mad24.hi.{u32,s32}", kind, bindIntegerTernary<mad24Hi>},
    {"mad24.hi.sat.s32", kind, bind32Ternary<mad24HiSat>},
    {"sad." KCL_INT, kind, bindIntegerTernary<sad>},
    {"div." KCL_INT, kind, bindIntegerBinary<div>},
    {"rem." KCL_INT, kind, bindIntegerBinary<rem>},
    {"neg.{s16,s32,s64}", kind, bindIntegerUnary<neg>},
    {"abs.{s16,s32,s64}", kind, bindIntegerUnary<abs>},
    {"min." KCL_INT, kind, bindIntegerBinary<minimum>},
    {"max." KCL_INT, kind, bindIntegerBinary<maximum>},
    {"min.relu.s32", kind, bind32Binary<minRelu>},
    {"max.relu.s32", kind, bind32Binary<maxRelu>},
    {"min.s32.relu", kind, bind32Binary<minRelu>}, // as CUDA's headers write it
    {"max.s32.relu", kind, bind32Binary<maxRelu>},
};

} // namespace

std::span<const Row> integerRows() { return rows; }

} // namespace kclaw::sim
