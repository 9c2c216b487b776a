//===- Places.h - Instructions with several addresses -----------*- C++ -*-===//
//
// An address operand as four Refs in Function::refs: column or noRef, the low
// and the high half of the offset, and the window with bit 8 for 64 bits.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_PLACES_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_PLACES_H

#include "../Exec/Block.h"
#include "Bind.h"
#include "Windows.h"

namespace kclaw::sim {

constexpr uint32_t placeRefs = 4;

/// Appends the operand's four Refs.
inline void addPlace(Builder &b, const ptx::Operand &operand, Window window,
                     std::vector<Ref> &refs) {
  AddressRef address = b.address(operand);
  if (address.base == noRef && address.symbolSpace == ptx::Space::Shared) {
    // The window's start depends on the block.
    address.base =
        b.specialColumn("shared:" + std::to_string(address.offset), Type::B32);
    address.offset = 0;
    address.wide = false;
  }
  refs.insert(refs.end(), {address.base, uint32_t(address.offset),
                           uint32_t(uint64_t(address.offset) >> 32),
                           uint32_t(window) | uint32_t(address.wide) << 8});
}

/// The window that a modifier of this instruction names, else generic.
inline Window windowFrom(Builder &b, const ptx::Operand &operand) {
  return windowOf(b, b.address(operand));
}

struct Place {
  const Ref *refs;
  Window window() const { return Window(refs[3] & 0xff); }
  uint64_t address(const Warp &w, unsigned lane) const {
    uint64_t offset = refs[1] | uint64_t(refs[2]) << 32;
    if (refs[0] == noRef)
      return offset;
    if (refs[3] & 0x100)
      return w.in<uint64_t>(refs[0])[lane] + offset;
    return uint32_t(w.in<uint32_t>(refs[0])[lane] + offset);
  }
};

/// The `index`-th place of an instruction whose places come first.
inline Place placeOf(Warp &w, const Inst &i, unsigned index = 0) {
  return {w.split().function->refs.data() + i.firstRef + index * placeRefs};
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_PLACES_H
