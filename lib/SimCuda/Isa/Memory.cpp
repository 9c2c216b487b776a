//===- Memory.cpp - ld, st, ldu, prefetch ---------------------------------===//
#include "../Check/BlockChecks.h"
#include "../Exec/Access.h"
#include "Bind.h"
#include "Windows.h"

#include <cstring>

namespace kclaw::sim {

namespace {

/// E: an element in memory. D: the register, which may be wider. inst.imm2 is
/// the window, small bit 0 says that addresses are 64-bit.
template <class E, class D> void runLoad(Warp &w, const Inst &i) {
  Lanes where;
  resolve(w, i, Window(i.imm2), i.small & 1, sizeof(E) * i.refCount,
          AccessKind::Load, where);
  const std::vector<Ref> &refs = w.splits[w.running].function->refs;
  if (where.contiguous && i.refCount == 1 && sizeof(E) == sizeof(D)) {
    std::memcpy(w.out<D>(refs[i.firstRef]), where.at[0], sizeof(E) * lanes);
    return;
  }
  for (uint32_t k = 0; k < i.refCount; ++k) {
    D *d = w.out<D>(refs[i.firstRef + k]);
    activeLanes(w, [&](unsigned l) {
      E value;
      std::memcpy(&value, where.at[l] + k * sizeof(E), sizeof(E));
      d[l] = D(value);
    });
  }
}

/// Lane by lane: a write over another thread's is a race unless it is equal.
template <class E, class S>
void storeSuspicious(Warp &w, const Inst &i, const Lanes &where,
                     const std::vector<Ref> &refs) {
  activeLanes(w, [&](unsigned l) {
    for (uint32_t k = 0; k < i.refCount; ++k) {
      E value = E(w.in<S>(refs[i.firstRef + k])[l]);
      std::byte *at = where.at[l] + k * sizeof(E);
      if ((where.suspicious >> l) & 1)
        reportWrite(w, i, l, at, &value, sizeof(E));
      std::memcpy(at, &value, sizeof(E));
    }
  });
}

template <class E, class S> void runStore(Warp &w, const Inst &i) {
  Lanes where;
  resolve(w, i, Window(i.imm2), i.small & 1, sizeof(E) * i.refCount,
          AccessKind::Store, where);
  const std::vector<Ref> &refs = w.splits[w.running].function->refs;
  if (where.suspicious)
    return storeSuspicious<E, S>(w, i, where, refs);
  if (where.contiguous && i.refCount == 1 && sizeof(E) == sizeof(S)) {
    std::memcpy(where.at[0], w.in<S>(refs[i.firstRef]), sizeof(E) * lanes);
    return;
  }
  for (uint32_t k = 0; k < i.refCount; ++k) {
    const S *s = w.in<S>(refs[i.firstRef + k]);
    activeLanes(w, [&](unsigned l) {
      E value = E(s[l]);
      std::memcpy(where.at[l] + k * sizeof(E), &value, sizeof(E));
    });
  }
}

using Bits128 = unsigned __int128;

/// Sign-extends signed elements, zero-extends others.
template <class F> Handler withElement(Type type, F &&f) {
  if (bits(type) == 128)
    return f(Bits128{});
  if (type == Type::F64 || type == Type::F32x2)
    return f(uint64_t{});
  if (type == Type::F16 || type == Type::BF16)
    return f(uint16_t{});
  return withInteger(type, f);
}

template <class E> Handler loadInto(unsigned registerBits) {
  switch (registerBits) {
  case 16:
    return runLoad<E, uint16_t>;
  case 32:
    return runLoad<E, uint32_t>;
  case 64:
    return runLoad<E, uint64_t>;
  case 128:
    return runLoad<E, Bits128>;
  }
  return nullptr;
}
template <class E> Handler storeFrom(unsigned registerBits) {
  switch (registerBits) {
  case 16:
    return runStore<E, uint16_t>;
  case 32:
    return runStore<E, uint32_t>;
  case 64:
    return runStore<E, uint64_t>;
  case 128:
    return runStore<E, Bits128>;
  }
  return nullptr;
}

/// {a, b} or a alone: the columns, and the width of their registers.
unsigned bindElements(Builder &b, const ptx::Operand &operand, Type type,
                      bool write) {
  std::vector<const ptx::Operand *> elements;
  if (operand.kind == ptx::Operand::Kind::Vector)
    for (const ptx::Operand &element : operand.elements)
      elements.push_back(&element);
  else
    elements.push_back(&operand);
  unsigned width = 0;
  for (const ptx::Operand *element : elements)
    if (auto declared = b.registerType(*element))
      width = std::max(width, bits(*declared));
  if (!width)
    width = std::max(16u, bits(type));      // literals or sinks only
  Type registers = width < 16    ? Type::B8 // in a column of 16 bits
                   : width == 16 ? Type::B16
                   : width == 32 ? Type::B32
                   : width == 64 ? Type::B64
                                 : Type::B128;
  Type literal = bits(type) == bits(registers) && width != 8 ? type : registers;
  std::vector<Ref> refs;
  for (const ptx::Operand *element : elements)
    refs.push_back(write ? b.destination(*element, registers)
                   : b.registerType(*element) || width != 8
                       ? b.source(*element, literal)
                       : b.source(*element, Type::B16));
  b.inst.firstRef = b.addRefs(refs);
  b.inst.refCount = uint32_t(refs.size());
  return std::max(width, 16u);
}

/// A kernel's parameter at a known offset is a constant of the launch.
bool bindParameter(Builder &b) {
  AddressRef address = b.address(1);
  if (!b.form.has("param") || address.base != noRef ||
      address.symbolSpace != ptx::Space::Param)
    return false;
  Type type = b.form.type();
  const ptx::Operand &target = b.operand(0);
  if (target.kind == ptx::Operand::Kind::Vector ||
      bits(b.registerType(target).value_or(type)) != bits(type))
    return false;
  b.inst.a = b.parameterColumn(type, address.offset);
  b.inst.d = b.destination(0, type);
  b.inst.handler = withElement(type, [](auto element) -> Handler {
    using T = decltype(element);
    return [](Warp &w, const Inst &i) {
      const T *a = w.in<T>(i.a);
      eachLane(w, w.out<T>(i.d), [&](unsigned l) { return a[l]; });
    };
  });
  return true;
}

void bindOrder(Builder &b) {
  if (!b.form.oneOf({"volatile", "relaxed", "acquire", "release", "mmio"})
           .empty())
    b.inst.small |= accessStrong;
  if (!b.form.oneOf({"acquire", "release"}).empty())
    b.inst.small |= accessOrders;
  if (!b.form.oneOf({"cg", "cv", "L1::no_allocate"}).empty())
    b.inst.small |= accessPastL1;
}

void bindLoad(Builder &b) {
  if (bindParameter(b))
    return;
  bindOrder(b);
  Type type = b.form.type();
  unsigned width = bindElements(b, b.operand(0), type, true);
  bindAddress(b, 1);
  b.inst.handler = withElement(
      type, [&](auto element) { return loadInto<decltype(element)>(width); });
}

void bindStore(Builder &b) {
  bindOrder(b);
  Type type = b.form.type();
  unsigned width = bindElements(b, b.operand(1), type, false);
  bindAddress(b, 0);
  b.inst.handler = withElement(
      type, [&](auto element) { return storeFrom<decltype(element)>(width); });
}

void bindNothing(Builder &b) {
  b.inst.handler = [](Warp &, const Inst &) {};
}

#define KCL_TYPES "{b8,b16,b32,b64,b128,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64}"
#define KCL_SPACES                                                             \
  "{global,shared,shared::cta,shared::cluster,local,param,param::entry,"       \
  "param::func,const}?"
#define KCL_HINTS                                                              \
  ".{ca,cg,cs,lu,cv,wb,wt}?.{L1::evict_normal,L1::evict_unchanged,L1::evict_"  \
  "first,L1::evict_last,L1::no_allocate}?.{L2::evict_last,L2::evict_normal,"   \
  "L2::evict_first}?.L2::cache_hint?.{L2::64B,L2::128B,L2::256B}?"
#define KCL_ORDER                                                              \
  "{weak,volatile,relaxed,acquire,release,mmio}?.{cta,cluster,gpu,sys}?"

constexpr Row rows[] = {
    {"ld." KCL_ORDER "." KCL_SPACES KCL_HINTS ".{v2,v4,v8}?." KCL_TYPES,
     InstClass::Load, bindLoad},
    {"ld.global" KCL_HINTS ".nc" KCL_HINTS ".{v2,v4,v8}?." KCL_TYPES,
     InstClass::Load, bindLoad},
    {"ldu.global?.{v2,v4}?." KCL_TYPES, InstClass::Load, bindLoad},
    {"st." KCL_ORDER "." KCL_SPACES KCL_HINTS ".{v2,v4,v8}?." KCL_TYPES,
     InstClass::Store, bindStore},
    {"prefetch.{global,local,const,param}?.{L1,L2,L2::evict_last,"
     "L2::evict_normal,tensormap}",
     InstClass::Load, bindNothing},
    {"prefetchu.L1", InstClass::Load, bindNothing},
    {"applypriority.global?.L2::evict_normal", InstClass::Load, bindNothing},
    {"discard.global?.L2", InstClass::Load, bindNothing},
};

} // namespace

void bindAddress(Builder &b, size_t index) {
  AddressRef address = b.address(index);
  b.inst.a = address.base;
  b.inst.imm = address.offset;
  b.inst.small = uint8_t((b.inst.small & ~1) | address.wide);
  b.inst.imm2 = uint64_t(windowOf(b, address));
  if (address.base == noRef && address.symbolSpace == ptx::Space::Shared) {
    // The window's start depends on the block.
    b.inst.a =
        b.specialColumn("shared:" + std::to_string(address.offset), Type::B32);
    b.inst.imm = 0;
    b.inst.small &= uint8_t(~1);
  }
}

Window windowOf(const Builder &b, const AddressRef &address) {
  const Form &form = b.form;
  bool entry = b.function.ast->isEntry;
  if (form.has("shared::cluster"))
    return Window::SharedCluster;
  if (form.has("shared") || form.has("shared::cta"))
    return Window::Shared;
  if (form.has("local"))
    return address.base == noRef ? Window::Frame : Window::Local;
  if (form.has("param") || form.has("param::entry") || form.has("param::func"))
    return entry && address.symbolSpace != ptx::Space::Local ? Window::Parameter
                                                             : Window::Argument;
  if (form.has("const"))
    return Window::Const;
  if (form.has("global"))
    return Window::Global;
  if (address.symbolSpace == ptx::Space::Shared)
    return Window::Shared;
  if (address.symbolSpace == ptx::Space::Local)
    return Window::Frame;
  return Window::Generic;
}

std::span<const Row> memoryRows() { return rows; }

} // namespace kclaw::sim
