//===- Reduce.cpp ---------------------------------------------------------===//
//
// Element by element and atomic, as blocks of other host threads may reduce
// into the same memory.
//
//===----------------------------------------------------------------------===//
#include "Reduce.h"
#include "Small.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace kclaw::sim {

namespace {

struct AddOp {
  template <class T> T operator()(T a, T b) const { return T(a + b); }
};
struct MinOp {
  template <class T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct MaxOp {
  template <class T> T operator()(T a, T b) const { return a < b ? b : a; }
};
struct IncOp {
  template <class T> T operator()(T a, T b) const {
    return a >= b ? T(0) : T(a + 1);
  }
};
struct DecOp {
  template <class T> T operator()(T a, T b) const {
    return a == 0 || a > b ? b : T(a - 1);
  }
};
struct AndOp {
  template <class T> T operator()(T a, T b) const { return T(a & b); }
};
struct OrOp {
  template <class T> T operator()(T a, T b) const { return T(a | b); }
};
struct XorOp {
  template <class T> T operator()(T a, T b) const { return T(a ^ b); }
};

/// Bits: an integer of the element's size.
template <class Bits, class F>
void eachElement(std::byte *memory, const std::byte *operand, uint64_t bytes,
                 F &&combine) {
  for (uint64_t k = 0; k + sizeof(Bits) <= bytes; k += sizeof(Bits)) {
    Bits b;
    std::memcpy(&b, operand + k, sizeof b);
    std::atomic_ref<Bits> element(*reinterpret_cast<Bits *>(memory + k));
    Bits old = element.load(std::memory_order_relaxed);
    while (!element.compare_exchange_weak(old, combine(old, b)))
      ;
  }
}

template <class T, class Op>
void reduce(std::byte *memory, const std::byte *operand, uint64_t bytes) {
  using Bits = std::conditional_t<
      sizeof(T) == 8, uint64_t,
      std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;
  eachElement<Bits>(memory, operand, bytes, [](Bits a, Bits b) {
    return std::bit_cast<Bits>(
        T(Op{}(std::bit_cast<T>(a), std::bit_cast<T>(b))));
  });
}

/// f16 and bf16: computed in f32, rounded once (a sum of two is exact there).
template <float (*widen)(uint16_t), uint16_t (*narrow)(float), class Op>
void reduceSmall(std::byte *memory, const std::byte *operand, uint64_t bytes) {
  eachElement<uint16_t>(memory, operand, bytes, [](uint16_t a, uint16_t b) {
    return narrow(Op{}(widen(a), widen(b)));
  });
}

template <class T> Reduction integer(std::string_view op) {
  if (op == "add")
    return reduce<T, AddOp>;
  if (op == "min")
    return reduce<T, MinOp>;
  if (op == "max")
    return reduce<T, MaxOp>;
  if (op == "inc")
    return reduce<T, IncOp>;
  if (op == "dec")
    return reduce<T, DecOp>;
  if (op == "and")
    return reduce<T, AndOp>;
  if (op == "or")
    return reduce<T, OrOp>;
  if (op == "xor")
    return reduce<T, XorOp>;
  return nullptr;
}

template <float (*widen)(uint16_t), uint16_t (*narrow)(float)>
Reduction small(std::string_view op) {
  if (op == "add")
    return reduceSmall<widen, narrow, AddOp>;
  if (op == "min")
    return reduceSmall<widen, narrow, MinOp>;
  if (op == "max")
    return reduceSmall<widen, narrow, MaxOp>;
  return nullptr;
}

} // namespace

Reduction findReduction(std::string_view op, Type type) {
  switch (type) {
  case Type::U32:
  case Type::B32:
    return integer<uint32_t>(op);
  case Type::S32:
    return integer<int32_t>(op);
  case Type::U64:
  case Type::B64:
    return integer<uint64_t>(op);
  case Type::S64:
    return integer<int64_t>(op);
  case Type::F32:
    return op == "add" ? reduce<float, AddOp> : nullptr;
  case Type::F64:
    return op == "add" ? reduce<double, AddOp> : nullptr;
  case Type::F16:
    return small<halfToFloat, floatToHalf>(op);
  case Type::BF16:
    return small<bfloatToFloat, floatToBfloat>(op);
  default:
    return nullptr;
  }
}

} // namespace kclaw::sim
