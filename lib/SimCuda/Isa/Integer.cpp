//===- Integer.cpp - Integer arithmetic, logic, comparison ----------------===//
#include "Bind.h"

namespace kclaw::sim {

namespace {

struct Add {
  template <class T> T operator()(T a, T b) const {
    return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
  }
};
struct Sub {
  template <class T> T operator()(T a, T b) const {
    return T(std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b));
  }
};
struct MulLo {
  template <class T> T operator()(T a, T b) const {
    return T(uint64_t(a) * uint64_t(b));
  }
};
struct MadLo {
  template <class T> T operator()(T a, T b, T c) const {
    return T(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};

template <class Op> void bindBinary(Builder &b) {
  bindSame(
      b,
      withInteger(b.form.type(),
                  [](auto t) -> Handler { return runBinary<decltype(t), Op>; }),
      2);
}
template <class Op> void bindTernary(Builder &b) {
  bindSame(b,
           withInteger(
               b.form.type(),
               [](auto t) -> Handler { return runTernary<decltype(t), Op>; }),
           3);
}

/// mul.wide: operands of the type, result of twice its width.
template <class T, class D> void runMulWide(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  eachLane(w, w.out<D>(i.d), [&](unsigned l) { return D(D(a[l]) * D(b[l])); });
}
void bindMulWide(Builder &b) {
  Type type = b.form.type();
  b.inst.a = b.source(1, type);
  b.inst.b = b.source(2, type);
  bool wide = bits(type) == 32;
  b.inst.d = b.destination(0, wide ? Type::B64 : Type::B32);
  b.inst.handler = type == Type::U32   ? runMulWide<uint32_t, uint64_t>
                   : type == Type::S32 ? runMulWide<int32_t, int64_t>
                   : type == Type::U16 ? runMulWide<uint16_t, uint32_t>
                                       : runMulWide<int16_t, int32_t>;
}

template <class T, class Op> void runCompare(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  uint32_t mask = laneMask([&](unsigned l) { return Op{}(a[l], b[l]); });
  w.setPredicate(i.d, mask);
}
struct Ge {
  template <class T> bool operator()(T a, T b) const { return a >= b; }
};
void bindCompare(Builder &b) {
  Type type = b.form.type();
  b.inst.d = b.predicateDestination(b.operand(0));
  b.inst.a = b.source(1, type);
  b.inst.b = b.source(2, type);
  b.inst.handler = withInteger(
      type, [](auto t) -> Handler { return runCompare<decltype(t), Ge>; });
}

/// Shift amounts are u32 and clamp at the width.
template <class T> void runShiftLeft(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  const uint32_t *n = w.in<uint32_t>(i.b);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) {
    return n[l] >= sizeof(T) * 8 ? T(0) : T(a[l] << n[l]);
  });
}
void bindShiftLeft(Builder &b) {
  Type type = b.form.type();
  b.inst.d = b.destination(0, type);
  b.inst.a = b.source(1, type);
  b.inst.b = b.source(2, Type::U32);
  b.inst.handler = withInteger(
      type, [](auto t) -> Handler { return runShiftLeft<decltype(t)>; });
}

#define KCL_INT "{u16,u32,u64,s16,s32,s64}"

constexpr Row rows[] = {
    {"add." KCL_INT, InstClass::Integer, bindBinary<Add>},
    {"sub." KCL_INT, InstClass::Integer, bindBinary<Sub>},
    {"shl.{b16,b32,b64}", InstClass::Integer, bindShiftLeft},
    {"mul.lo." KCL_INT, InstClass::Integer, bindBinary<MulLo>},
    {"mad.lo." KCL_INT, InstClass::Integer, bindTernary<MadLo>},
    {"mul.wide.{u16,u32,s16,s32}", InstClass::Integer, bindMulWide},
    {"setp.ge." KCL_INT, InstClass::Integer, bindCompare},
};

} // namespace

std::span<const Row> integerRows() { return rows; }

} // namespace kclaw::sim
