//===- IntegerCarry.cpp - Extended precision: .cc, addc, subc, madc -------===//
//
// Warp::carry holds CC.CF, a bit per lane: the carry out of the adder. The
// hardware subtracts as a + ~b + 1, so that a subtraction without a borrow
// leaves 1, as an addc after it sees; PTX speaks of a borrow and forbids that.
//
//===----------------------------------------------------------------------===//
#include "Bind.h"

namespace kclaw::sim {

namespace {

/// A sum and the carry out of its width.
template <class T> struct Sum {
  T value;
  bool carry;
};
template <class T> Sum<T> sum(T a, T b, bool carryIn) {
  T partial = T(a + b);
  T value = T(partial + T(carryIn));
  return {value, partial < a || value < partial};
}

/// `in`: CC.CF is an operand, else `first`; `out`: it is a result.
template <class T, bool in, bool out, bool first = false, class F>
void withCarry(Warp &w, const Inst &i, F &&f) {
  T *d = w.out<T>(i.d);
  uint32_t carry = w.carry, mask = 0;
  activeLanes(w, [&](unsigned l) {
    Sum<T> result = f(l, in ? (carry >> l) & 1 : first);
    d[l] = result.value;
    mask |= uint32_t(result.carry) << l;
  });
  if (out)
    w.carry = (carry & ~w.active) | mask;
}

template <class T, bool in, bool out, bool minus>
void runAdd(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  withCarry<T, in, out, minus>(w, i, [&](unsigned l, bool carry) {
    return sum(a[l], minus ? T(~b[l]) : b[l], carry);
  });
}

/// S: the type with its sign, which only the high half needs.
template <class S, bool in, bool out, bool high>
void runMad(Warp &w, const Inst &i) {
  using T = std::make_unsigned_t<S>;
  using W = std::conditional_t<
      std::is_signed_v<S>,
      std::conditional_t<sizeof(S) == 4, int64_t, __int128>,
      std::conditional_t<sizeof(S) == 4, uint64_t, unsigned __int128>>;
  const S *a = w.in<S>(i.a), *b = w.in<S>(i.b);
  const T *c = w.in<T>(i.c);
  withCarry<T, in, out>(w, i, [&](unsigned l, bool carry) {
    W product = W(a[l]) * W(b[l]);
    T half = T(high ? product >> (sizeof(S) * 8) : product);
    return sum(half, c[l], carry);
  });
}

template <bool in, bool out, bool minus> void bindAdd(Builder &b) {
  bindSame(b,
           bits(b.form.type()) == 32 ? runAdd<uint32_t, in, out, minus>
                                     : runAdd<uint64_t, in, out, minus>,
           2);
}

template <bool in, bool out, bool high> void bindMad(Builder &b) {
  Type type = b.form.type();
  bindSame(b,
           type == Type::U32   ? runMad<uint32_t, in, out, high>
           : type == Type::S32 ? runMad<int32_t, in, out, high>
           : type == Type::U64 ? runMad<uint64_t, in, out, high>
                               : runMad<int64_t, in, out, high>,
           3);
}

#define KCL_TYPES ".{u32,s32,u64,s64}"

constexpr InstClass kind = InstClass::Integer;
constexpr Row rows[] = {
    {"add.cc" KCL_TYPES, kind, bindAdd<false, true, false>},
    {"addc.cc" KCL_TYPES, kind, bindAdd<true, true, false>},
    {"addc" KCL_TYPES, kind, bindAdd<true, false, false>},
    {"sub.cc" KCL_TYPES, kind, bindAdd<false, true, true>},
    {"subc.cc" KCL_TYPES, kind, bindAdd<true, true, true>},
    {"subc" KCL_TYPES, kind, bindAdd<true, false, true>},
    {"mad.lo.cc" KCL_TYPES, kind, bindMad<false, true, false>},
    {"mad.hi.cc" KCL_TYPES, kind, bindMad<false, true, true>},
    {"madc.lo.cc" KCL_TYPES, kind, bindMad<true, true, false>},
    {"madc.hi.cc" KCL_TYPES, kind, bindMad<true, true, true>},
    {"madc.lo" KCL_TYPES, kind, bindMad<true, false, false>},
    {"madc.hi" KCL_TYPES, kind, bindMad<true, false, true>},
};

} // namespace

std::span<const Row> integerCarryRows() { return rows; }

} // namespace kclaw::sim
