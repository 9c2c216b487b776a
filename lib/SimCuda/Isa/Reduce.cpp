//===- Reduce.cpp ---------------------------------------------------------===//
//
// Element by element and atomic, as blocks of other host threads may reduce
// into the same memory.
//
//===----------------------------------------------------------------------===//
#include "Reduce.h"
#include "AtomicOps.h"

#include <atomic>
#include <cstring>
#include <span>

namespace kclaw::sim {

namespace {

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

template <class Op>
void reduce(std::byte *memory, const std::byte *operand, uint64_t bytes) {
  eachElement<typename Op::Bits>(memory, operand, bytes, Op::apply);
}

struct Named {
  std::string_view op;
  Reduction reduction;
};
Reduction find(std::span<const Named> table, std::string_view op) {
  for (const Named &row : table)
    if (row.op == op)
      return row.reduction;
  return nullptr;
}

template <class T>
constexpr Named integer[] = {{"add", reduce<atomic::Add<T>>},
                             {"min", reduce<atomic::Min<T>>},
                             {"max", reduce<atomic::Max<T>>},
                             {"inc", reduce<atomic::Increment<T>>},
                             {"dec", reduce<atomic::Decrement<T>>},
                             {"and", reduce<atomic::And<atomic::BitsOf<T>>>},
                             {"or", reduce<atomic::Or<atomic::BitsOf<T>>>},
                             {"xor", reduce<atomic::Xor<atomic::BitsOf<T>>>}};
template <class H>
constexpr Named half[] = {{"add", reduce<atomic::AddHalf<H>>},
                          {"min", reduce<atomic::ExtremeHalf<H, false>>},
                          {"max", reduce<atomic::ExtremeHalf<H, true>>}};
/// Subnormals stay, in global memory too.
constexpr Named f32[] = {{"add", reduce<atomic::AddF32<false>>}};
constexpr Named f64[] = {{"add", reduce<atomic::AddF64<true>>}};

} // namespace

Reduction findReduction(std::string_view op, Type type) {
  switch (type) {
  case Type::U32:
  case Type::B32:
    return find(integer<uint32_t>, op);
  case Type::S32:
    return find(integer<int32_t>, op);
  case Type::U64:
  case Type::B64:
    return find(integer<uint64_t>, op);
  case Type::S64:
    return find(integer<int64_t>, op);
  case Type::F32:
    return find(f32, op);
  case Type::F64:
    return find(f64, op);
  case Type::F16:
    return find(half<F16>, op);
  case Type::BF16:
    return find(half<BF16>, op);
  default:
    return nullptr;
  }
}

} // namespace kclaw::sim
