//===- IntegerBits.cpp - Logic, shifts, bit fields ------------------------===//
#include "Bind.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

constexpr auto bitAnd = []<class T>(T a, T b) { return T(a & b); };
constexpr auto bitOr = []<class T>(T a, T b) { return T(a | b); };
constexpr auto bitXor = []<class T>(T a, T b) { return T(a ^ b); };
constexpr auto bitNot = []<class T>(T a) { return T(~a); };
constexpr auto isZero = []<class T>(T a) { return T(a == 0); };

// Predicates are one mask: the same operations on one word.
template <class Op> void runPredicates(Warp &w, const Inst &i) {
  uint32_t a = w.predicate(i.a) ^ (i.small & 1 ? allLanes : 0);
  if constexpr (std::is_invocable_v<Op, uint32_t, uint32_t>)
    w.setPredicate(i.d,
                   Op{}(a, w.predicate(i.b) ^ (i.small & 2 ? allLanes : 0)));
  else
    w.setPredicate(i.d, Op{}(a));
}
template <auto op, unsigned sources> void bindPredicates(Builder &b) {
  b.inst.handler = runPredicates<decltype(op)>;
  b.inst.d = b.predicateDestination(b.operand(0));
  PredicateRef p = b.predicateSource(1);
  b.inst.a = p.ref;
  b.inst.small = p.negated;
  if (sources == 1)
    return;
  p = b.predicateSource(2);
  b.inst.b = p.ref;
  b.inst.small |= uint8_t(p.negated << 1);
}

/// Bit 7 of the table is the result for a = b = c = 1.
uint32_t lookup3(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
  uint32_t d = 0;
  for (unsigned k = 0; k < 8; ++k)
    if ((table >> k) & 1)
      d |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return d;
}
template <unsigned table> void runLookup3(Warp &w, const Inst &i) {
  const uint32_t *a = w.in<uint32_t>(i.a), *b = w.in<uint32_t>(i.b),
                 *c = w.in<uint32_t>(i.c);
  eachLane(w, w.out<uint32_t>(i.d),
           [&](unsigned l) { return lookup3(a[l], b[l], c[l], table); });
}
template <size_t... table>
constexpr std::array<Handler, 256> lookups(std::index_sequence<table...>) {
  return {runLookup3<table>...};
}
constexpr auto lookupHandlers = lookups(std::make_index_sequence<256>{});

void bindLookup3(Builder &b) {
  bindSame(b, lookupHandlers[b.literal(4) & 255], 3);
}

/// lop3.or.b32 d|p, a, b, c, table, q: p = (d != 0) or q.
void runLookup3Predicate(Warp &w, const Inst &i) {
  Inst lookup = i;
  uint32_t q = w.predicate(i.f) ^ (i.small & 1 ? allLanes : 0);
  lookupHandlers[i.imm](w, lookup);
  const uint32_t *d = w.out<uint32_t>(i.d);
  uint32_t any = laneMask([&](unsigned l) { return d[l] != 0; });
  w.setPredicate(i.e, i.small & 2 ? any & q : any | q);
}
void bindLookup3Predicate(Builder &b) {
  b.inst.handler = runLookup3Predicate;
  const ptx::Operand &pair = b.operand(0);
  if (pair.kind != ptx::Operand::Kind::Pair)
    b.error("d|p was expected");
  b.inst.d = b.destination(pair.elements[0], Type::B32);
  b.inst.e = b.predicateDestination(pair.elements[1]);
  b.inst.a = b.source(1, Type::B32);
  b.inst.b = b.source(2, Type::B32);
  b.inst.c = b.source(3, Type::B32);
  b.inst.imm = b.literal(4) & 255;
  PredicateRef q = b.predicateSource(5);
  b.inst.f = q.ref;
  b.inst.small =
      uint8_t(unsigned(q.negated) | unsigned(b.form.has("and")) << 1);
}

/// Shift amounts are u32 and clamp at the width.
constexpr auto shiftLeft = []<class T>(T a, uint32_t n) {
  return n >= sizeof(T) * 8 ? T(0) : T(uint64_t(a) << n);
};
constexpr auto shiftRight = []<class T>(T a, uint32_t n) {
  constexpr uint32_t last = sizeof(T) * 8 - 1;
  if constexpr (std::is_signed_v<T>)
    return T(a >> std::min(n, last));
  else
    return n > last ? T(0) : T(a >> n);
};
template <class T, class Op> void runShift(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  const uint32_t *n = w.in<uint32_t>(i.b);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) { return Op{}(a[l], n[l]); });
}
template <auto op> void bindShift(Builder &b) {
  Type type = b.form.type();
  bindTyped(b,
            withArithmetic(type,
                           [](auto t) -> Handler {
                             return runShift<decltype(t), decltype(op)>;
                           }),
            type, {type, Type::U32});
}

/// shf: 32 bits out of {b, a}; wrap takes the amount modulo 32.
constexpr auto funnelAmount = [](uint32_t c, bool wrap) {
  return wrap ? c & 31 : std::min(c, 32u);
};
template <bool left, bool wrap> struct Funnel {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    uint64_t both = uint64_t(b) << 32 | a;
    uint32_t n = funnelAmount(c, wrap);
    return uint32_t(left ? (both << n) >> 32 : both >> n);
  }
};
template <bool left, bool wrap> void bindFunnel(Builder &b) {
  bindTyped(b, runTernary<uint32_t, Funnel<left, wrap>>, Type::B32,
            {Type::B32, Type::B32, Type::U32});
}

// Counts: a u32 whatever the operand.
constexpr auto popc = []<class T>(T a) {
  return uint32_t(std::popcount(std::make_unsigned_t<T>(a)));
};
constexpr auto clz = []<class T>(T a) {
  return uint32_t(std::countl_zero(std::make_unsigned_t<T>(a)));
};
template <bool shiftAmount> struct FindBit {
  template <class T> uint32_t operator()(T a) const {
    using U = std::make_unsigned_t<T>;
    U bits = std::is_signed_v<T> && a < 0 ? U(~a) : U(a);
    auto zeros = uint32_t(std::countl_zero(bits));
    constexpr uint32_t width = sizeof(T) * 8;
    if (zeros == width)
      return ~0u;
    return shiftAmount ? zeros : width - 1 - zeros;
  }
};
template <class Op> void bindCount(Builder &b) {
  Type type = b.form.type();
  bindTyped(b,
            withArithmetic(type,
                           [](auto t) -> Handler {
                             return runUnaryTo<uint32_t, decltype(t), Op>;
                           }),
            Type::U32, {type});
}

constexpr auto reverse = []<class T>(T a) {
  T d = 0;
  for (unsigned k = 0; k < sizeof(T) * 8; ++k)
    d |= T((a >> k) & 1) << (sizeof(T) * 8 - 1 - k);
  return d;
};

/// 32 bits: position and length modulo 256; the sign (0 for unsigned) fills
/// what the field lacks: the field's top bit, or the operand's beyond its end.
template <class T> void runExtract(Warp &w, const Inst &i) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t width = sizeof(T) * 8;
  const T *a = w.in<T>(i.a);
  const uint32_t *b = w.in<uint32_t>(i.b), *c = w.in<uint32_t>(i.c);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) {
    uint32_t position = b[l] & 255, length = c[l] & 255;
    if (length == 0)
      return T(0);
    uint32_t last = std::min(position + length - 1, width - 1);
    bool sign = std::is_signed_v<T> && ((U(a[l]) >> last) & 1);
    U field = position >= width ? U(0) : U(U(a[l]) >> position);
    U keep = length >= width ? U(~U(0)) : U((U(1) << length) - 1);
    if (position < width && width - position < length)
      keep &= U(~U(0)) >> position;
    else if (position >= width)
      keep = 0;
    return T(sign ? (field & keep) | U(~keep) : field & keep);
  });
}

/// The 64-bit forms are made of shifts, which take all of an amount.
constexpr auto lowOnes = [](uint32_t length) {
  return shiftLeft(uint64_t(1), length) - 1;
};
template <class T> void runExtract64(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  const uint32_t *b = w.in<uint32_t>(i.b), *c = w.in<uint32_t>(i.c);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) {
    uint64_t ones = lowOnes(c[l]);
    uint64_t field = uint64_t(shiftRight(a[l], b[l])) & ones;
    bool sign = std::is_signed_v<T> && shiftRight(field, c[l] - 1);
    return T(sign ? field | ~ones : field);
  });
}
void bindExtract(Builder &b) {
  Type type = b.form.type();
  bindTyped(b,
            type == Type::U32   ? runExtract<uint32_t>
            : type == Type::S32 ? runExtract<int32_t>
            : type == Type::U64 ? runExtract64<uint64_t>
                                : runExtract64<int64_t>,
            type, {type, Type::U32, Type::U32});
}

void runInsert32(Warp &w, const Inst &i) {
  const uint32_t *a = w.in<uint32_t>(i.a), *b = w.in<uint32_t>(i.b);
  const uint32_t *c = w.in<uint32_t>(i.c), *n = w.in<uint32_t>(i.e);
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned l) {
    uint32_t position = c[l] & 255;
    auto mask = shiftLeft(uint32_t(lowOnes(n[l] & 255)), position);
    return (b[l] & ~mask) | (shiftLeft(a[l], position) & mask);
  });
}
void runInsert64(Warp &w, const Inst &i) {
  const uint64_t *a = w.in<uint64_t>(i.a), *b = w.in<uint64_t>(i.b);
  const uint32_t *c = w.in<uint32_t>(i.c), *n = w.in<uint32_t>(i.e);
  eachLane(w, w.out<uint64_t>(i.d), [&](unsigned l) {
    uint64_t mask = shiftLeft(lowOnes(n[l]), c[l]);
    return (b[l] & ~mask) | (shiftLeft(a[l], c[l]) & mask);
  });
}
void bindInsert(Builder &b) {
  Type type = b.form.type();
  bindTyped(b, bits(type) == 32 ? runInsert32 : runInsert64, type,
            {type, type, Type::U32, Type::U32});
}

/// bmsk: ones from bit a, b of them.
template <bool wrap> struct BitMask {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    uint32_t first = wrap ? a & 31 : a,
             count = wrap ? b & 31 : std::min(b, 32u);
    return first > 31 ? 0 : uint32_t(((uint64_t(1) << count) - 1) << first);
  }
};
/// szext: the low b bits, extended.
template <class T, bool wrap> struct Extend {
  T operator()(T a, T amount) const {
    uint32_t n = wrap ? uint32_t(amount) & 31 : std::min(uint32_t(amount), 32u);
    if (n == 0)
      return 0;
    unsigned up = 32 - n;
    return T(T(uint32_t(a) << up) >> up);
  }
};
template <bool wrap> void bindBitMask(Builder &b) {
  bindTyped(b, runBinary<uint32_t, BitMask<wrap>>, Type::B32,
            {Type::B32, Type::B32});
}
template <bool wrap> void bindExtend(Builder &b) {
  bindSame(b,
           b.form.type() == Type::S32
               ? runBinary<int32_t, Extend<int32_t, wrap>>
               : runBinary<uint32_t, Extend<uint32_t, wrap>>,
           2);
}

/// fns: the n-th set bit at or above (n > 0) or below (n < 0) `base`.
constexpr auto findNth = [](uint32_t mask, uint32_t base, uint32_t offset) {
  auto n = int32_t(offset);
  if (n == 0)
    return base < 32 && ((mask >> base) & 1) ? base : ~0u;
  int step = n > 0 ? 1 : -1;
  uint32_t left = n > 0 ? offset : 0 - offset;
  for (int64_t at = base; at >= 0 && at < 32; at += step)
    if ((mask >> at) & 1 && --left == 0)
      return uint32_t(at);
  return ~0u;
};
void bindFindNth(Builder &b) {
  bindSame(b, runTernary<uint32_t, decltype(findNth)>, 3);
}

constexpr InstClass kind = InstClass::Integer;
constexpr Row rows[] = {
    {"and.pred", kind, bindPredicates<bitAnd, 2>},
    {"or.pred", kind, bindPredicates<bitOr, 2>},
    {"xor.pred", kind, bindPredicates<bitXor, 2>},
    {"not.pred", kind, bindPredicates<bitNot, 1>},
    {"and.{b16,b32,b64}", kind, bindIntegerBinary<bitAnd>},
    {"or.{b16,b32,b64}", kind, bindIntegerBinary<bitOr>},
    {"xor.{b16,b32,b64}", kind, bindIntegerBinary<bitXor>},
    {"not.{b16,b32,b64}", kind, bindIntegerUnary<bitNot>},
    {"cnot.{b16,b32,b64}", kind, bindIntegerUnary<isZero>},
    {"lop3.b32", kind, bindLookup3},
    {"lop3.{or,and}.b32", kind, bindLookup3Predicate},
    {"shl.{b16,b32,b64}", kind, bindShift<shiftLeft>},
    {"shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", kind, bindShift<shiftRight>},
    {"shf.l.wrap.b32", kind, bindFunnel<true, true>},
    {"shf.l.clamp.b32", kind, bindFunnel<true, false>},
    {"shf.r.wrap.b32", kind, bindFunnel<false, true>},
    {"shf.r.clamp.b32", kind, bindFunnel<false, false>},
    {"popc.{b32,b64}", kind, bindCount<decltype(popc)>},
    {"clz.{b32,b64}", kind, bindCount<decltype(clz)>},
    {"bfind.{u32,u64,s32,s64}", kind, bindCount<FindBit<false>>},
    {"bfind.shiftamt.{u32,u64,s32,s64}", kind, bindCount<FindBit<true>>},
    {"brev.{b32,b64}", kind, bindIntegerUnary<reverse>},
    {"bfe.{u32,s32}", kind, bindExtract},
    {"bfe.{u64,s64}", kind, bindExtract,
     "position and length above 255, which PTX forbids: as on hardware, not "
     "modulo 256"},
    {"bfi.b32", kind, bindInsert},
    {"bfi.b64", kind, bindInsert,
     "position and length above 255, which PTX forbids: as on hardware, not "
     "modulo 256"},
    {"bmsk.clamp.b32", kind, bindBitMask<false>},
    {"bmsk.wrap.b32", kind, bindBitMask<true>},
    {"szext.clamp.{u32,s32}", kind, bindExtend<false>},
    {"szext.wrap.{u32,s32}", kind, bindExtend<true>},
    {"fns.b32", kind, bindFindNth},
};

} // namespace

std::span<const Row> integerBitRows() { return rows; }

} // namespace kclaw::sim
