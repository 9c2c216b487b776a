//===- Bind.h - Common shapes of instructions -------------------*- C++ -*-===//
//
// d = f(a), f(a, b), f(a, b, c) on columns of one type, and the choice of a
// handler by type at load time, so that nothing is chosen while running.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_BIND_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_BIND_H

#include "Table.h"

#include <bit>
#include <limits>
#include <type_traits>

namespace kclaw::sim {

template <class T, class Op> void runUnary(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) { return T(Op{}(a[l])); });
}
template <class T, class Op> void runBinary(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) { return T(Op{}(a[l], b[l])); });
}
template <class T, class Op> void runTernary(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b), *c = w.in<T>(i.c);
  eachLane(w, w.out<T>(i.d),
           [&](unsigned l) { return T(Op{}(a[l], b[l], c[l])); });
}

/// Result of one type, operands of another (widening, comparisons).
template <class D, class T, class Op> void runUnaryTo(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  eachLane(w, w.out<D>(i.d), [&](unsigned l) { return D(Op{}(a[l])); });
}

/// Operands 0.. as d, a, b, c of the row's first type.
inline void bindSame(Builder &b, Handler handler, unsigned sources) {
  Type type = b.form.type();
  b.inst.handler = handler;
  b.inst.d = b.destination(0, type);
  Ref *places[] = {&b.inst.a, &b.inst.b, &b.inst.c};
  for (unsigned i = 0; i < sources; ++i)
    *places[i] = b.source(i + 1, type);
}

/// d and sources of different types, in the order of the text.
inline void bindTyped(Builder &b, Handler handler, Type result,
                      std::initializer_list<Type> sources) {
  b.inst.handler = handler;
  b.inst.d = b.destination(0, result);
  Ref *places[] = {&b.inst.a, &b.inst.b, &b.inst.c, &b.inst.e, &b.inst.f};
  size_t index = 0;
  for (Type type : sources) {
    *places[index] = b.source(index + 1, type);
    ++index;
  }
}

/// f(T{}) for the C++ type of the integer types that have arithmetic.
template <class F> Handler withArithmetic(Type type, F &&f) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return f(uint16_t{});
  case Type::S16:
    return f(int16_t{});
  case Type::S32:
    return f(int32_t{});
  case Type::U64:
  case Type::B64:
    return f(uint64_t{});
  case Type::S64:
    return f(int64_t{});
  default:
    return f(uint32_t{});
  }
}
/// f(T{}) for the C++ type of a PTX integer or untyped-bits type.
template <class F> Handler withInteger(Type type, F &&f) {
  switch (type) {
  case Type::U8:
  case Type::B8:
    return f(uint8_t{});
  case Type::S8:
    return f(int8_t{});
  default:
    return withArithmetic(type, f);
  }
}

/// Rows of integer operations: the binder of one lambda.
template <auto op> void bindIntegerUnary(Builder &b) {
  bindSame(b,
           withArithmetic(b.form.type(),
                          [](auto t) -> Handler {
                            return runUnary<decltype(t), decltype(op)>;
                          }),
           1);
}
template <auto op> void bindIntegerBinary(Builder &b) {
  bindSame(b,
           withArithmetic(b.form.type(),
                          [](auto t) -> Handler {
                            return runBinary<decltype(t), decltype(op)>;
                          }),
           2);
}
template <auto op> void bindIntegerTernary(Builder &b) {
  bindSame(b,
           withArithmetic(b.form.type(),
                          [](auto t) -> Handler {
                            return runTernary<decltype(t), decltype(op)>;
                          }),
           3);
}

/// Subnormal -> zero of the same sign.
inline float flush(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u)
                                   : x;
}
/// What f32 arithmetic gives for every NaN.
inline float canonical(float x) {
  return x == x ? x : std::bit_cast<float>(0x7fffffffu);
}
/// .sat: [0, 1], NaN -> +0.
inline float saturate(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_BIND_H
