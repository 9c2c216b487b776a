//===- Convert.cpp - cvt between integers and floats ----------------------===//
//
// In two steps over a warp: read the source column as numbers (int64_t or
// double, both exact), then write them in the destination's format. The pairs
// that kernels are full of have a loop of their own, first in bindConvert.
//
//===----------------------------------------------------------------------===//
#include "Bind.h"
#include "Formats.h"
#include "HalfTypes.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

union Numbers {
  int64_t integer[lanes]; ///< u64 as its bits
  double real[lanes];
};

using Load = void (*)(Warp &, Ref, Numbers &);
using Store = void (*)(Warp &, const Inst &, const Numbers &);

/// How the numbers become the destination's; Inst::imm2 keeps it.
struct Plan {
  RoundTo mode = RoundTo::Even;
  bool ftz = false, sat = false;
  bool unsignedSource = false; ///< 64-bit integers
  uint32_t nanResult = 0;      ///< of float to integer: 1 means 1 << msb
  bool keepsNan = false;       ///< to or from f64: sign and payload
};
Plan planOf(const Inst &i) {
  Plan plan;
  plan.mode = RoundTo(i.imm2 & 7);
  plan.ftz = i.imm2 & 8;
  plan.sat = i.imm2 & 16;
  plan.unsignedSource = i.imm2 & 32;
  plan.nanResult = uint32_t(i.imm2 >> 6) & 1;
  plan.keepsNan = i.imm2 & 128;
  return plan;
}
uint64_t pack(const Plan &plan) {
  return uint64_t(plan.mode) | uint64_t(plan.ftz) << 3 |
         uint64_t(plan.sat) << 4 | uint64_t(plan.unsignedSource) << 5 |
         uint64_t(plan.nanResult) << 6 | uint64_t(plan.keepsNan) << 7;
}

// R: the register's type; T: the instruction's, as wide or narrower.
template <class R, class T> void loadInteger(Warp &w, Ref a, Numbers &out) {
  const R *from = w.in<R>(a);
  for (unsigned l = 0; l < lanes; ++l)
    out.integer[l] = int64_t(T(from[l]));
}
template <class R, class T>
void storeInteger(Warp &w, const Inst &i, const Numbers &in) {
  eachLane(w, w.out<R>(i.d), [&](unsigned l) { return R(T(in.integer[l])); });
}
template <class R, class T>
void storeSaturated(Warp &w, const Inst &i, const Numbers &in) {
  using Limits = std::numeric_limits<T>;
  bool fromUnsigned = planOf(i).unsignedSource;
  eachLane(w, w.out<R>(i.d), [&](unsigned l) {
    int64_t x = in.integer[l];
    if (fromUnsigned && x < 0)
      x = std::numeric_limits<int64_t>::max();
    if constexpr (sizeof(T) < 8)
      return R(
          T(std::clamp(x, int64_t(Limits::min()), int64_t(Limits::max()))));
    else if constexpr (std::is_signed_v<T>)
      return R(x);
    else
      return R(fromUnsigned ? in.integer[l] : std::max<int64_t>(x, 0));
  });
}

double roundToInteger(double x, RoundTo mode) {
  switch (mode) {
  case RoundTo::Zero:
    return std::trunc(x);
  case RoundTo::Down:
    return std::floor(x);
  case RoundTo::Up:
    return std::ceil(x);
  default:
    return std::rint(x);
  }
}

/// Out of range: the nearest value of the type.
template <class T> T clampReal(double x, T nan) {
  using Limits = std::numeric_limits<T>;
  constexpr double end = 2.0 * double(Limits::max() / 2 + 1); // 2^k, exact
  if (x != x)
    return nan;
  if (x >= end)
    return Limits::max();
  return x <= double(Limits::min()) ? Limits::min() : T(x);
}
template <class R, class T>
void storeRounded(Warp &w, const Inst &i, const Numbers &in) {
  Plan plan = planOf(i);
  T nan = plan.nanResult ? T(uint64_t(1) << (sizeof(T) * 8 - 1)) : T(0);
  eachLane(w, w.out<R>(i.d), [&](unsigned l) {
    return R(clampReal<T>(roundToInteger(in.real[l], plan.mode), nan));
  });
}

template <class R> void loadF16(Warp &w, Ref a, Numbers &out) {
  const R *from = w.in<R>(a);
  for (unsigned l = 0; l < lanes; ++l)
    out.real[l] = F16{uint16_t(from[l])}.value();
}
template <class R> void loadBF16(Warp &w, Ref a, Numbers &out) {
  const R *from = w.in<R>(a);
  for (unsigned l = 0; l < lanes; ++l)
    out.real[l] = BF16{uint16_t(from[l])}.value();
}
template <bool ftz> void loadF32(Warp &w, Ref a, Numbers &out) {
  const float *from = w.in<float>(a);
  for (unsigned l = 0; l < lanes; ++l)
    out.real[l] = ftz ? canonical(flush(from[l])) : from[l];
}
void loadF64(Warp &w, Ref a, Numbers &out) {
  std::copy_n(w.in<double>(a), lanes, out.real);
}

/// The NaN `x` in the format: quiet, what fits of its payload.
template <const Format &format> uint64_t nanOf(double x) {
  auto bits = std::bit_cast<uint64_t>(x + x);
  return (bits >> 63 ? format.sign() : 0) | format.infinity |
         (bits & ((uint64_t(1) << 52) - 1)) >> (52 - format.mantissaBits);
}
/// Integers or reals into a float format; D: the register.
template <class D, const Format &format, bool fromInteger>
void storeFloat(Warp &w, const Inst &i, const Numbers &in) {
  Plan plan = planOf(i);
  eachLane(w, w.out<D>(i.d), [&](unsigned l) {
    uint64_t bits = 0;
    if constexpr (fromInteger) {
      int64_t x = in.integer[l];
      bool negative = !plan.unsignedSource && x < 0;
      bits = roundTo(format, negative, negative ? 0 - uint64_t(x) : uint64_t(x),
                     0, plan.mode);
    } else {
      double x = in.real[l];
      bits = x != x && plan.keepsNan ? nanOf<format>(x)
                                     : roundTo(format, x, plan.mode);
    }
    constexpr uint64_t one = uint64_t(format.bias()) << format.mantissaBits;
    if (plan.sat)
      bits = bits > format.infinity ? 0 : std::min(bits, one);
    if (plan.ftz &&
        (bits >> format.mantissaBits & ((1u << format.exponentBits) - 1)) == 0)
      bits &= format.sign();
    return D(bits);
  });
}
/// cvt.rni.f32.f32 and its like: integers in float.
template <class D, const Format &format>
void storeIntegral(Warp &w, const Inst &i, const Numbers &in) {
  Numbers rounded;
  for (unsigned l = 0; l < lanes; ++l)
    rounded.real[l] = roundToInteger(in.real[l], planOf(i).mode);
  storeFloat<D, format, false>(w, i, rounded);
}

void runConvert(Warp &w, const Inst &i) {
  Numbers numbers;
  reinterpret_cast<Load>(i.imm)(w, i.a, numbers);
  auto store = uint64_t(i.f) << 32 | i.e;
  reinterpret_cast<Store>(store)(w, i, numbers);
}

/// f(R{}, T{}) for a register of `registerBits` and an integer type.
template <class F> auto withWidths(unsigned registerBits, Type type, F &&f) {
  auto inRegister = [&](auto t) {
    using T = decltype(t);
    if constexpr (sizeof(T) <= 2)
      if (registerBits <= 16)
        return f(uint16_t{}, t);
    if constexpr (sizeof(T) <= 4)
      if (registerBits == 32)
        return f(uint32_t{}, t);
    return f(uint64_t{}, t);
  };
  switch (type) {
  case Type::U8:
    return inRegister(uint8_t{});
  case Type::S8:
    return inRegister(int8_t{});
  case Type::U16:
    return inRegister(uint16_t{});
  case Type::S16:
    return inRegister(int16_t{});
  case Type::U32:
    return inRegister(uint32_t{});
  case Type::S32:
    return inRegister(int32_t{});
  case Type::U64:
    return inRegister(uint64_t{});
  default:
    return inRegister(int64_t{});
  }
}

unsigned registerBits(Builder &b, size_t index, Type type) {
  auto declared = b.registerType(b.operand(index));
  return declared ? bits(*declared) : std::max(bits(type), 16u);
}

Load loader(Builder &b, Type type, bool ftz) {
  unsigned width = registerBits(b, 1, type);
  switch (type) {
  case Type::F16:
    return width == 16 ? loadF16<uint16_t> : loadF16<uint32_t>;
  case Type::BF16:
    return width == 16 ? loadBF16<uint16_t> : loadBF16<uint32_t>;
  case Type::F32:
    return ftz ? loadF32<true> : loadF32<false>;
  case Type::F64:
    return loadF64;
  default:
    return withWidths(width, type, [](auto r, auto t) -> Load {
      return loadInteger<decltype(r), decltype(t)>;
    });
  }
}

template <bool fromInteger> Store floatStore(Type type, unsigned width) {
  switch (type) {
  case Type::F16:
    return width == 16 ? storeFloat<uint16_t, f16Format, fromInteger>
                       : storeFloat<uint32_t, f16Format, fromInteger>;
  case Type::BF16:
    return width == 16 ? storeFloat<uint16_t, bf16Format, fromInteger>
                       : storeFloat<uint32_t, bf16Format, fromInteger>;
  case Type::F32:
    return storeFloat<uint32_t, f32Format, fromInteger>;
  default:
    return storeFloat<uint64_t, f64Format, fromInteger>;
  }
}
Store integralStore(Type type) {
  switch (type) {
  case Type::F16:
    return storeIntegral<uint16_t, f16Format>;
  case Type::BF16:
    return storeIntegral<uint16_t, bf16Format>;
  case Type::F32:
    return storeIntegral<uint32_t, f32Format>;
  default:
    return storeIntegral<uint64_t, f64Format>;
  }
}

struct RoundingName {
  std::string_view name;
  RoundTo mode;
};
constexpr RoundingName roundings[] = {
    {"rn", RoundTo::Even},  {"rz", RoundTo::Zero},  {"rm", RoundTo::Down},
    {"rp", RoundTo::Up},    {"rni", RoundTo::Even}, {"rzi", RoundTo::Zero},
    {"rmi", RoundTo::Down}, {"rpi", RoundTo::Up}};

bool isInteger(Type type) { return !isFloat(type); }

Store storer(Builder &b, Type to, Type from, bool sat) {
  unsigned width = registerBits(b, 0, to);
  if (isFloat(to)) {
    if (b.form.chosen[0].ends_with('i'))
      return integralStore(to);
    return isInteger(from) ? floatStore<true>(to, width)
                           : floatStore<false>(to, width);
  }
  return withWidths(width, to, [&](auto r, auto t) -> Store {
    using R = decltype(r);
    using T = decltype(t);
    if (isFloat(from))
      return storeRounded<R, T>;
    return sat ? storeSaturated<R, T> : storeInteger<R, T>;
  });
}

// Loops of their own.
template <class D> constexpr auto cast = [](auto x) { return D(x); };
template <class D, class S>
constexpr auto truncate =
    [](S x) { return clampReal<D>(std::trunc(double(x)), D(0)); };
constexpr auto f16ToFloat = [](uint16_t x) {
  return canonical(F16{x}.value());
};
constexpr auto bf16ToFloat = [](uint16_t x) { return BF16{x}.value(); };
constexpr auto floatToF16 = [](float x) { return F16::fromFloat(x).bits; };
constexpr auto floatToBF16 = [](float x) { return BF16::fromFloat(x).bits; };
constexpr auto roundEven = [](float x) { return canonical(std::rint(x)); };
constexpr auto roundDown = [](float x) { return canonical(std::floor(x)); };
constexpr auto roundUp = [](float x) { return canonical(std::ceil(x)); };
constexpr auto roundZero = [](float x) { return canonical(std::trunc(x)); };

struct Direct {
  std::string_view rounding;
  Type to, from;
  Handler handler;
};
template <class D, class S, auto op>
constexpr Handler loop = runUnaryTo<D, S, decltype(op)>;

const Direct directs[] = {
    {"", Type::U64, Type::U32, loop<uint64_t, uint32_t, cast<uint64_t>>},
    {"", Type::S64, Type::S32, loop<int64_t, int32_t, cast<int64_t>>},
    {"", Type::S64, Type::U32, loop<uint64_t, uint32_t, cast<uint64_t>>},
    {"", Type::U64, Type::S32, loop<int64_t, int32_t, cast<int64_t>>},
    {"", Type::U32, Type::U64, loop<uint32_t, uint64_t, cast<uint32_t>>},
    {"", Type::S32, Type::U64, loop<uint32_t, uint64_t, cast<uint32_t>>},
    {"", Type::U32, Type::U16, loop<uint32_t, uint16_t, cast<uint32_t>>},
    {"", Type::S32, Type::S16, loop<int32_t, int16_t, cast<int32_t>>},
    {"", Type::U16, Type::U32, loop<uint16_t, uint32_t, cast<uint16_t>>},
    {"rn", Type::F32, Type::S32, loop<float, int32_t, cast<float>>},
    {"rn", Type::F32, Type::U32, loop<float, uint32_t, cast<float>>},
    {"rn", Type::F64, Type::S32, loop<double, int32_t, cast<double>>},
    {"rn", Type::F64, Type::U32, loop<double, uint32_t, cast<double>>},
    {"", Type::F64, Type::F32, loop<double, float, cast<double>>},
    {"rn", Type::F32, Type::F64, loop<float, double, cast<float>>},
    {"", Type::F32, Type::F32, loop<uint32_t, uint32_t, cast<uint32_t>>},
    {"", Type::F64, Type::F64, loop<uint64_t, uint64_t, cast<uint64_t>>},
    {"", Type::F32, Type::F16, loop<float, uint16_t, f16ToFloat>},
    {"", Type::F32, Type::BF16, loop<float, uint16_t, bf16ToFloat>},
    {"rn", Type::F16, Type::F32, loop<uint16_t, float, floatToF16>},
    {"rn", Type::BF16, Type::F32, loop<uint16_t, float, floatToBF16>},
    {"rzi", Type::S32, Type::F32,
     loop<int32_t, float, truncate<int32_t, float>>},
    {"rni", Type::F32, Type::F32, loop<float, float, roundEven>},
    {"rmi", Type::F32, Type::F32, loop<float, float, roundDown>},
    {"rpi", Type::F32, Type::F32, loop<float, float, roundUp>},
    {"rzi", Type::F32, Type::F32, loop<float, float, roundZero>},
};

/// The loop of a pair in registers of exactly its widths.
Handler direct(Builder &b, Type to, Type from, std::string_view rounding) {
  if (registerBits(b, 0, to) != bits(to) ||
      registerBits(b, 1, from) != bits(from))
    return nullptr;
  for (const Direct &row : directs)
    if (row.rounding == rounding && row.to == to && row.from == from)
      return row.handler;
  return nullptr;
}

void bindConvert(Builder &b) {
  Type to = b.form.type(0), from = b.form.type(1);
  std::string_view rounding;
  Plan plan;
  for (const RoundingName &row : roundings)
    if (b.form.has(row.name))
      rounding = row.name, plan.mode = row.mode;
  plan.ftz = b.form.has("ftz") && to == Type::F32;
  plan.sat = b.form.has("sat");
  plan.unsignedSource = isInteger(from) && !isSigned(from);
  plan.nanResult = from == Type::F64 || bits(to) == 64;
  plan.keepsNan = from == Type::F64 || to == Type::F64;
  b.inst.d = b.destination(0, to, true);
  b.inst.a = b.source(1, from);
  b.inst.imm2 = pack(plan);
  if (!b.form.has("ftz") && !plan.sat)
    b.inst.handler = direct(b, to, from, rounding);
  if (b.inst.handler)
    return;
  b.inst.handler = runConvert;
  // To f16 the hardware rounds subnormals whatever .ftz says.
  bool flushes = b.form.has("ftz") && to != Type::F16;
  b.inst.imm = reinterpret_cast<intptr_t>(loader(b, from, flushes));
  auto store = reinterpret_cast<uintptr_t>(storer(b, to, from, plan.sat));
  b.inst.e = Ref(store);
  b.inst.f = Ref(store >> 32);
}

#define KCL_INT "{u8,u16,u32,u64,s8,s16,s32,s64}"
#define KCL_FLOAT "{f16,bf16,f32,f64}"

constexpr InstClass kind = InstClass::Convert;
constexpr Row rows[] = {
    {"cvt.sat?." KCL_INT "." KCL_INT, kind, bindConvert},
    {"cvt.{rni,rzi,rmi,rpi}.ftz?.sat?." KCL_INT "." KCL_FLOAT, kind,
     bindConvert},
    {"cvt.{rn,rz,rm,rp}.ftz?.sat?." KCL_FLOAT "." KCL_INT, kind, bindConvert},
    {"cvt.{rn,rz,rm,rp,rni,rzi,rmi,rpi}?.ftz?.sat?." KCL_FLOAT "." KCL_FLOAT,
     kind, bindConvert},
};

} // namespace

std::span<const Row> convertRows() { return rows; }

} // namespace kclaw::sim
