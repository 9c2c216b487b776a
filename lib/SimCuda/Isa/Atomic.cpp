//===- Atomic.cpp - atom, red ---------------------------------------------===//
//
// Blocks of two host threads may meet in global memory: those operations are
// real atomics of the host. Shared memory belongs to one host thread. Lanes
// act lowest first. ptxas takes the modifiers in any order, and so do the rows.
//
//===----------------------------------------------------------------------===//
#include "../Exec/Access.h"
#include "AtomicOps.h"
#include "Windows.h"

#include <atomic>

namespace kclaw::sim {

namespace {

using Bits128 = unsigned __int128;

/// 128-bit operations exclude each other; the host has no cheaper way.
class Lock128 {
public:
  Lock128() {
    while (flag.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Lock128() { flag.clear(std::memory_order_release); }

private:
  static inline std::atomic_flag flag = ATOMIC_FLAG_INIT;
};

/// Replaces *p by f(*p), gives the old value.
template <class Bits, class F> Bits update(Bits *p, bool alone, F &&f) {
  if constexpr (sizeof(Bits) == 16) {
    Lock128 lock;
    Bits old = *p;
    *p = f(old);
    return old;
  } else {
    if (alone) {
      Bits old = *p;
      *p = f(old);
      return old;
    }
    std::atomic_ref<Bits> place(*p);
    Bits old = place.load();
    while (!place.compare_exchange_weak(old, f(old))) {
    }
    return old;
  }
}

/// i.refCount elements: results in refs[firstRef..] (red: none, i.d == noRef),
/// operands behind them.
template <class Op, class Flushing = Op>
void runAtomic(Warp &w, const Inst &i) {
  using Bits = typename Op::Bits;
  Lanes where;
  resolve(w, i, Window(i.imm2), i.small & 1, sizeof(Bits) * i.refCount,
          AccessKind::Atomic, where);
  const Ref *refs = w.split().function->refs.data() + i.firstRef;
  const Ref *operands = i.d == noRef ? refs : refs + i.refCount;
  bool oneThread = w.block->grid->options.hostThreads == 1;
  activeLanes(w, [&](unsigned l) {
    bool shared = (where.shared >> l) & 1;
    for (uint32_t k = 0; k < i.refCount; ++k) {
      Bits operand = w.in<Bits>(operands[k])[l];
      Bits old = update(reinterpret_cast<Bits *>(where.at[l]) + k,
                        shared || oneThread, [&](Bits now) {
                          return shared ? Op::apply(now, operand)
                                        : Flushing::apply(now, operand);
                        });
      if (i.d != noRef)
        w.out<Bits>(refs[k])[l] = old;
    }
  });
}

template <class Bits> void runCompareAndSwap(Warp &w, const Inst &i) {
  Lanes where;
  resolve(w, i, Window(i.imm2), i.small & 1, sizeof(Bits), AccessKind::Atomic,
          where);
  const Bits *expected = w.in<Bits>(i.b), *desired = w.in<Bits>(i.c);
  Bits *d = w.out<Bits>(i.d);
  bool oneThread = w.block->grid->options.hostThreads == 1;
  activeLanes(w, [&](unsigned l) {
    Bits compare = expected[l], value = desired[l];
    d[l] = update(reinterpret_cast<Bits *>(where.at[l]),
                  ((where.shared >> l) & 1) || oneThread,
                  [&](Bits now) { return now == compare ? value : now; });
  });
}

template <template <class> class Op> Handler integerOp(Type type) {
  switch (type) {
  case Type::S32:
    return runAtomic<Op<int32_t>>;
  case Type::U64:
    return runAtomic<Op<uint64_t>>;
  case Type::S64:
    return runAtomic<Op<int64_t>>;
  default:
    return runAtomic<Op<uint32_t>>;
  }
}
template <template <class> class Op> Handler bitOp(Type type) {
  return bits(type) == 64 ? runAtomic<Op<uint64_t>> : runAtomic<Op<uint32_t>>;
}

template <class Format> Handler halfOp(const Form &form, bool packed) {
  using namespace atomic;
  using Low = ExtremeHalf<Format, false>;
  using High = ExtremeHalf<Format, true>;
  if (form.has("min"))
    return packed ? runAtomic<Packed<Low>> : runAtomic<Low>;
  if (form.has("max"))
    return packed ? runAtomic<Packed<High>> : runAtomic<High>;
  return packed ? runAtomic<Packed<AddHalf<Format>>>
                : runAtomic<AddHalf<Format>>;
}

Handler chooseAtomic(const Form &form, Type type) {
  using namespace atomic;
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return halfOp<F16>(form, type == Type::F16x2);
  case Type::BF16:
  case Type::BF16x2:
    return halfOp<BF16>(form, type == Type::BF16x2);
  case Type::F32:
    return runAtomic<AddF32<false>, AddF32<true>>;
  case Type::F64:
    return runAtomic<AddF64<false>, AddF64<true>>;
  default:
    break;
  }
  if (form.has("exch"))
    return bits(type) == 128 ? runAtomic<Exchange<Bits128>>
                             : bitOp<Exchange>(type);
  return form.has("add")   ? integerOp<Add>(type)
         : form.has("min") ? integerOp<Min>(type)
         : form.has("max") ? integerOp<Max>(type)
         : form.has("inc") ? runAtomic<Increment<uint32_t>>
         : form.has("dec") ? runAtomic<Decrement<uint32_t>>
         : form.has("and") ? bitOp<And>(type)
         : form.has("or")  ? bitOp<Or>(type)
                           : bitOp<Xor>(type);
}

/// A register, or the elements of {a, b, ...}.
std::vector<const ptx::Operand *> elementsOf(const ptx::Operand &operand) {
  if (operand.kind != ptx::Operand::Kind::Vector)
    return {&operand};
  std::vector<const ptx::Operand *> elements;
  for (const ptx::Operand &element : operand.elements)
    elements.push_back(&element);
  return elements;
}

/// Instructions with .acquire, .release or .acq_rel order like a fence.
void bindOrder(Builder &b) {
  if (!b.form.oneOf({"acquire", "release", "acq_rel"}).empty())
    b.inst.small |= accessOrders;
}

/// atom d, [a], b{, policy}; red [a], b{, policy}
void bindAtomic(Builder &b) {
  Type type = b.form.type();
  bool returns = b.ast->opcode == "atom";
  bindAddress(b, returns);
  bindOrder(b);
  std::vector<Ref> refs;
  auto operands = elementsOf(b.operand(returns + 1));
  if (returns) {
    for (const ptx::Operand *element : elementsOf(b.operand(0)))
      refs.push_back(b.destination(*element, type));
    if (b.isSink(0) && operands.size() > 1)
      refs.assign(operands.size(), refs[0]);
    if (refs.size() != operands.size())
      b.error("as many results as operands are needed");
    b.inst.d = refs[0];
  }
  b.inst.refCount = uint32_t(operands.size());
  for (const ptx::Operand *element : operands)
    refs.push_back(b.source(*element, type));
  b.inst.firstRef = b.addRefs(refs);
  b.inst.handler = chooseAtomic(b.form, type);
}

void bindCompareAndSwap(Builder &b) {
  Type type = b.form.type();
  bindAddress(b, 1);
  bindOrder(b);
  b.inst.d = b.destination(0, type);
  b.inst.b = b.source(2, type);
  b.inst.c = b.source(3, type);
  b.inst.handler = bits(type) == 16   ? runCompareAndSwap<uint16_t>
                   : bits(type) == 32 ? runCompareAndSwap<uint32_t>
                   : bits(type) == 64 ? runCompareAndSwap<uint64_t>
                                      : runCompareAndSwap<Bits128>;
}

#define KCL_MODIFIER                                                           \
  "{relaxed,acquire,release,acq_rel,cta,cluster,gpu,sys,global,shared,"        \
  "shared::cta,shared::cluster,L2::cache_hint}?"
#define KCL_FOUR KCL_MODIFIER "." KCL_MODIFIER "." KCL_MODIFIER "." KCL_MODIFIER
#define KCL_VECTOR KCL_MODIFIER ".{noftz,v2,v4,v8}?.{noftz,v2,v4,v8}?"

// OPCODE before, OP and types: every form of atom and red.
#define KCL_ATOMIC(OPCODE)                                                     \
  {OPCODE "." KCL_FOUR ".add." KCL_FOUR ".{u32,s32,u64,s64,f64}",              \
   InstClass::Atomic, bindAtomic},                                             \
      {OPCODE "." KCL_FOUR ".{min,max}." KCL_FOUR ".{u32,s32,u64,s64}",        \
       InstClass::Atomic, bindAtomic},                                         \
      {OPCODE "." KCL_FOUR ".{inc,dec}." KCL_FOUR ".u32", InstClass::Atomic,   \
       bindAtomic},                                                            \
      {OPCODE "." KCL_FOUR ".{and,or,xor}." KCL_FOUR ".{b32,b64}",             \
       InstClass::Atomic, bindAtomic},                                         \
      {OPCODE "." KCL_FOUR ".add." KCL_FOUR ".{v2,v4}?.f32",                   \
       InstClass::Atomic, bindAtomic},                                         \
      {OPCODE "." KCL_FOUR ".{v2,v4}.f32.add." KCL_MODIFIER,                   \
       InstClass::Atomic, bindAtomic},                                         \
      {OPCODE "." KCL_FOUR ".{add,min,max}." KCL_FOUR "." KCL_VECTOR           \
              ".{f16,f16x2,bf16,bf16x2}",                                      \
       InstClass::Atomic, bindAtomic},                                         \
  {                                                                            \
    OPCODE "." KCL_FOUR ".{v2,v4,v8}.{f16,f16x2,bf16,bf16x2}.{add,min,max}."   \
           "noftz." KCL_MODIFIER,                                              \
        InstClass::Atomic, bindAtomic                                          \
  }

constexpr Row rows[] = {
    KCL_ATOMIC("atom"),
    KCL_ATOMIC("red"),
    {"atom." KCL_FOUR ".exch." KCL_FOUR ".{b32,b64,b128}", InstClass::Atomic,
     bindAtomic},
    {"atom." KCL_FOUR ".cas." KCL_FOUR ".{b16,b32,b64,b128}", InstClass::Atomic,
     bindCompareAndSwap},
};

} // namespace

std::span<const Row> atomicRows() { return rows; }

} // namespace kclaw::sim
