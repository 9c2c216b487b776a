//===- Compare.cpp - setp, set, slct, testp, copysign ---------------------===//
//
// A comparison gives a mask, a bit per lane; the row decides what becomes of
// it. Two masks for the packed half types, one a half.
//
//===----------------------------------------------------------------------===//
#include "Bind.h"
#include "HalfTypes.h"

#include <cmath>

namespace kclaw::sim {

namespace {

enum Boolean : uint8_t { None, And, Or, Xor };

// Columns as the comparison sees them.
template <class T> struct Plain {
  using Storage = T;
  static T load(T x) { return x; }
};
struct Flushed {
  using Storage = float;
  static float load(float x) { return flush(x); }
};
template <class H, bool ftz> struct Halved {
  using Storage = uint16_t;
  static float load(uint16_t x) {
    return ftz ? flushHalf(H{x}).value() : H{x}.value();
  }
};
template <class H, bool ftz, unsigned shift> struct HalfOf {
  using Storage = uint32_t;
  static float load(uint32_t x) {
    return Halved<H, ftz>::load(uint16_t(x >> shift));
  }
};

template <class Reader, class Op> uint32_t compare(Warp &w, const Inst &i) {
  using S = typename Reader::Storage;
  const S *a = w.in<S>(i.a), *b = w.in<S>(i.b);
  return laneMask(
      [&](unsigned l) { return Op{}(Reader::load(a[l]), Reader::load(b[l])); });
}

using Comparison = uint32_t (*)(Warp &, const Inst &);

template <class Reader, class Op> void runSetPredicate(Warp &w, const Inst &i) {
  w.setPredicate(i.d, compare<Reader, Op>(w, i));
}

uint32_t combine(Warp &w, const Inst &i, uint32_t mask) {
  if ((i.small & 3) == None)
    return mask;
  uint32_t c = w.predicate(i.c) ^ (i.small & 4 ? allLanes : 0);
  return (i.small & 3) == And  ? mask & c
         : (i.small & 3) == Or ? mask | c
                               : mask ^ c;
}

/// p|q and the Boolean: q gets the opposite comparison.
void runSetPredicates(Warp &w, const Inst &i) {
  uint32_t mask = reinterpret_cast<Comparison>(i.imm)(w, i);
  uint32_t p = combine(w, i, mask), q = combine(w, i, ~mask);
  w.setPredicate(i.d, p);
  if (i.e != noRef)
    w.setPredicate(i.e, q);
}
/// Packed halves: p is the low comparison, q the high one.
void runSetPredicatePair(Warp &w, const Inst &i) {
  uint32_t low = reinterpret_cast<Comparison>(i.imm)(w, i);
  uint32_t high = reinterpret_cast<Comparison>(i.imm2)(w, i);
  uint32_t p = combine(w, i, low), q = combine(w, i, high);
  w.setPredicate(i.d, p);
  w.setPredicate(i.e, q);
}

/// What set writes where the comparison holds; 0 elsewhere.
template <class D> void runSet(Warp &w, const Inst &i) {
  uint32_t mask = combine(w, i, reinterpret_cast<Comparison>(i.imm)(w, i));
  auto yes = D(i.imm2);
  eachLane(w, w.out<D>(i.d),
           [&](unsigned l) { return (mask >> l) & 1 ? yes : D(0); });
}
/// Packed halves: one comparison a half, one value a half.
template <uint32_t yes> void runSetPair(Warp &w, const Inst &i) {
  uint32_t low = combine(w, i, reinterpret_cast<Comparison>(i.imm)(w, i));
  uint32_t high = combine(w, i, reinterpret_cast<Comparison>(i.imm2)(w, i));
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned l) {
    return ((low >> l) & 1 ? yes : 0) | ((high >> l) & 1 ? yes << 16 : 0);
  });
}

// The comparisons. Unordered ones hold when an operand is NaN.
constexpr auto eq = [](auto a, auto b) { return a == b; };
constexpr auto ne = [](auto a, auto b) { return a != b; };
constexpr auto lt = [](auto a, auto b) { return a < b; };
constexpr auto le = [](auto a, auto b) { return a <= b; };
constexpr auto gt = [](auto a, auto b) { return a > b; };
constexpr auto ge = [](auto a, auto b) { return a >= b; };
constexpr auto orderedNe = [](auto a, auto b) { return (a < b) | (a > b); };
constexpr auto equ = [](auto a, auto b) { return !((a < b) | (a > b)); };
constexpr auto ltu = [](auto a, auto b) { return !(a >= b); };
constexpr auto leu = [](auto a, auto b) { return !(a > b); };
constexpr auto gtu = [](auto a, auto b) { return !(a <= b); };
constexpr auto geu = [](auto a, auto b) { return !(a < b); };
constexpr auto num = [](auto a, auto b) { return (a == a) & (b == b); };
constexpr auto nan = [](auto a, auto b) { return (a != a) | (b != b); };

struct Choice {
  Comparison mask = nullptr;
  Handler plain = nullptr;
};
template <class Reader, class Op> Choice choice(Op) {
  return {compare<Reader, Op>, runSetPredicate<Reader, Op>};
}

template <class Reader> Choice chooseInteger(std::string_view name) {
  if (name == "eq")
    return choice<Reader>(eq);
  if (name == "ne")
    return choice<Reader>(ne);
  if (name == "lt" || name == "lo")
    return choice<Reader>(lt);
  if (name == "le" || name == "ls")
    return choice<Reader>(le);
  if (name == "gt" || name == "hi")
    return choice<Reader>(gt);
  return choice<Reader>(ge);
}
template <class Reader> Choice chooseFloat(std::string_view name) {
  const std::pair<std::string_view, Choice> choices[] = {
      {"eq", choice<Reader>(eq)},   {"ne", choice<Reader>(orderedNe)},
      {"lt", choice<Reader>(lt)},   {"le", choice<Reader>(le)},
      {"gt", choice<Reader>(gt)},   {"ge", choice<Reader>(ge)},
      {"equ", choice<Reader>(equ)}, {"neu", choice<Reader>(ne)},
      {"ltu", choice<Reader>(ltu)}, {"leu", choice<Reader>(leu)},
      {"gtu", choice<Reader>(gtu)}, {"geu", choice<Reader>(geu)},
      {"num", choice<Reader>(num)}, {"nan", choice<Reader>(nan)}};
  for (const auto &[known, found] : choices)
    if (known == name)
      return found;
  return {};
}

template <class H, bool ftz>
Choice chooseHalf(Type type, std::string_view name, bool high) {
  if (bits(type) == 16)
    return chooseFloat<Halved<H, ftz>>(name);
  return high ? chooseFloat<HalfOf<H, ftz, 16>>(name)
              : chooseFloat<HalfOf<H, ftz, 0>>(name);
}

Choice choose(Type type, std::string_view name, bool ftz, bool high) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return chooseInteger<Plain<uint16_t>>(name);
  case Type::S16:
    return chooseInteger<Plain<int16_t>>(name);
  case Type::U32:
  case Type::B32:
    return chooseInteger<Plain<uint32_t>>(name);
  case Type::S32:
    return chooseInteger<Plain<int32_t>>(name);
  case Type::U64:
  case Type::B64:
    return chooseInteger<Plain<uint64_t>>(name);
  case Type::S64:
    return chooseInteger<Plain<int64_t>>(name);
  case Type::F32:
    return ftz ? chooseFloat<Flushed>(name) : chooseFloat<Plain<float>>(name);
  case Type::F64:
    return chooseFloat<Plain<double>>(name);
  case Type::F16:
  case Type::F16x2:
    return ftz ? chooseHalf<F16, true>(type, name, high)
               : chooseHalf<F16, false>(type, name, high);
  default:
    return chooseHalf<BF16, false>(type, name, high);
  }
}

bool isPacked(Type type) { return type == Type::F16x2 || type == Type::BF16x2; }

/// a, b and {!}c; returns the comparison.
Choice bindOperands(Builder &b, Type type) {
  b.inst.a = b.source(1, type);
  b.inst.b = b.source(2, type);
  Boolean boolean = b.form.has("and")   ? And
                    : b.form.has("or")  ? Or
                    : b.form.has("xor") ? Xor
                                        : None;
  b.inst.small = boolean;
  if (boolean != None) {
    PredicateRef c = b.predicateSource(3);
    b.inst.c = c.ref;
    b.inst.small |= uint8_t(c.negated << 2);
  }
  return choose(type, b.form.chosen[0], b.form.has("ftz"), false);
}

void bindSetPredicate(Builder &b) {
  Type type = b.form.type();
  Choice low = bindOperands(b, type);
  const ptx::Operand &results = b.operand(0);
  bool two = results.kind == ptx::Operand::Kind::Pair;
  auto result = [&](const ptx::Operand &operand) {
    return operand.kind == ptx::Operand::Kind::Sink
               ? b.destination(operand, Type::Pred)
               : b.predicateDestination(operand);
  };
  b.inst.d = result(two ? results.elements[0] : results);
  if (two)
    b.inst.e = result(results.elements[1]);
  b.inst.imm = reinterpret_cast<intptr_t>(low.mask);
  if (isPacked(type)) {
    if (!two)
      b.error("a packed comparison has two results, p|q");
    b.inst.imm2 = reinterpret_cast<uintptr_t>(
        choose(type, b.form.chosen[0], b.form.has("ftz"), true).mask);
    b.inst.handler = runSetPredicatePair;
    return;
  }
  b.inst.handler =
      !two && b.inst.small == None ? low.plain : Handler(runSetPredicates);
}

/// The bits of true: all ones, or 1.0 of the result's type.
uint64_t trueBits(Type type) {
  switch (type) {
  case Type::F32:
    return 0x3f800000;
  case Type::F16:
  case Type::F16x2:
    return F16::one;
  case Type::BF16:
  case Type::BF16x2:
    return BF16::one;
  default:
    return ~uint64_t(0);
  }
}

void bindSet(Builder &b) {
  Type result = b.form.type(0), type = b.form.type(1);
  Choice low = bindOperands(b, type);
  b.inst.d = b.destination(0, result);
  b.inst.imm2 = trueBits(result);
  b.inst.imm = reinterpret_cast<intptr_t>(low.mask);
  b.inst.handler = bits(result) == 16 ? runSet<uint16_t> : runSet<uint32_t>;
  if (!isPacked(type))
    return;
  b.inst.imm2 = reinterpret_cast<uintptr_t>(
      choose(type, b.form.chosen[0], b.form.has("ftz"), true).mask);
  b.inst.handler = result == Type::F16x2    ? runSetPair<F16::one>
                   : result == Type::BF16x2 ? runSetPair<BF16::one>
                                            : runSetPair<0xffff>;
}

/// slct: a where c >= 0, else b. -0 counts as 0, NaN as negative.
template <class T, class C, bool ftz> void runChoose(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  const C *c = w.in<C>(i.c);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) {
    C condition = c[l];
    if constexpr (ftz)
      condition = flush(condition);
    return condition >= 0 ? a[l] : b[l];
  });
}
template <class T> Handler chooseHandler(Type condition, bool ftz) {
  return condition == Type::S32 ? runChoose<T, int32_t, false>
         : ftz                  ? runChoose<T, float, true>
                                : runChoose<T, float, false>;
}
void bindChoose(Builder &b) {
  Type type = b.form.type(0), condition = b.form.type(1);
  bool ftz = b.form.has("ftz");
  bindTyped(b,
            bits(type) == 16   ? chooseHandler<uint16_t>(condition, ftz)
            : bits(type) == 32 ? chooseHandler<uint32_t>(condition, ftz)
                               : chooseHandler<uint64_t>(condition, ftz),
            type, {type, type, condition});
}

constexpr auto finite = [](auto x) { return std::isfinite(x); };
constexpr auto infinite = [](auto x) { return std::isinf(x); };
constexpr auto number = [](auto x) { return !std::isnan(x); };
constexpr auto notNumber = [](auto x) { return std::isnan(x); };
/// PTX counts zeros as normal.
constexpr auto normal = [](auto x) { return std::isnormal(x) || x == 0; };
constexpr auto subnormal = [](auto x) {
  return std::fpclassify(x) == FP_SUBNORMAL;
};
template <class T, class Op> void runTest(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  w.setPredicate(i.d, laneMask([&](unsigned l) { return Op{}(a[l]); }));
}
template <auto op> void bindTest(Builder &b) {
  Type type = b.form.type();
  b.inst.d = b.predicateDestination(b.operand(0));
  b.inst.a = b.source(1, type);
  b.inst.handler = type == Type::F64 ? runTest<double, decltype(op)>
                                     : runTest<float, decltype(op)>;
}

/// The sign of a, the rest of b.
constexpr auto copySign = []<class T>(T a, T b) {
  constexpr T sign = T(1) << (sizeof(T) * 8 - 1);
  return T((a & sign) | (b & T(~sign)));
};
void bindCopySign(Builder &b) {
  bindSame(b,
           b.form.type() == Type::F64 ? runBinary<uint64_t, decltype(copySign)>
                                      : runBinary<uint32_t, decltype(copySign)>,
           2);
}

#define KCL_INT "{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}.{and,or,xor}?"
#define KCL_FLOAT                                                              \
  "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}?"
#define KCL_INT_TYPES ".{b16,b32,b64,u16,u32,u64,s16,s32,s64}"

constexpr InstClass kind = InstClass::Move;
constexpr Row rows[] = {
    {"setp." KCL_INT KCL_INT_TYPES, kind, bindSetPredicate},
    {"setp." KCL_FLOAT ".ftz?.{f32,f16,f16x2}", kind, bindSetPredicate},
    {"setp." KCL_FLOAT ".{f64,bf16,bf16x2}", kind, bindSetPredicate},
    {"set." KCL_INT ".{u32,s32,f32}" KCL_INT_TYPES, kind, bindSet},
    {"set." KCL_FLOAT ".ftz?.{u32,s32,f32}.f32", kind, bindSet},
    {"set." KCL_FLOAT ".{u32,s32,f32}.f64", kind, bindSet},
    {"set." KCL_FLOAT ".ftz?.{f16,bf16,u16,s16,u32,s32}.f16", kind, bindSet},
    {"set." KCL_FLOAT ".{f16,bf16,u16,s16,u32,s32}.bf16", kind, bindSet},
    {"set." KCL_FLOAT ".ftz?.{f16x2,u32,s32}.f16x2", kind, bindSet},
    {"set." KCL_FLOAT ".{bf16x2,u32,s32}.bf16x2", kind, bindSet},
    {"slct.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.s32", kind,
     bindChoose},
    {"slct.ftz?.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.f32", kind,
     bindChoose},
    {"testp.finite.{f32,f64}", kind, bindTest<finite>},
    {"testp.infinite.{f32,f64}", kind, bindTest<infinite>},
    {"testp.number.{f32,f64}", kind, bindTest<number>},
    {"testp.notanumber.{f32,f64}", kind, bindTest<notNumber>},
    {"testp.normal.{f32,f64}", kind, bindTest<normal>},
    {"testp.subnormal.{f32,f64}", kind, bindTest<subnormal>},
    {"copysign.{f32,f64}", kind, bindCopySign},
};

} // namespace

std::span<const Row> compareRows() { return rows; }

} // namespace kclaw::sim
