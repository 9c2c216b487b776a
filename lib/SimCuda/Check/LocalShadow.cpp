//===- LocalShadow.cpp - Undefined bytes of the threads' stacks -----------===//
#include "../Exec/Fault.h"
#include "BlockChecks.h"

namespace kclaw::sim {

void BlockChecks::local(const Touch &touch, unsigned lane,
                        const std::byte *address) {
  auto offset = size_t(address - touch.w.block->local);
  anyLocal = true;
  // Aligned, at most 32 bytes: never across a word of 64 bits.
  auto mask = [&](unsigned at, unsigned count) {
    return ((uint64_t(1) << count) - 1) << ((offset + at) % 64);
  };
  uint64_t &word = localWritten[offset / 64];
  if (touch.kind != AccessKind::Store)
    for (unsigned e = 0; e < touch.bytes; e += touch.element)
      if (!(word & mask(e, touch.element)))
        fail(touch.w, touch.inst, FaultKind::Uninitialised, lane,
             reinterpret_cast<uintptr_t>(address) + e,
             "byte " +
                 std::to_string((offset + e) % touch.w.block->localStride) +
                 " of the thread's local memory was never written");
  if (touch.kind != AccessKind::Load)
    word |= mask(0, touch.bytes);
}

} // namespace kclaw::sim
