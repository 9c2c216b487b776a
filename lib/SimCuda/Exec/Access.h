//===- Access.h - Loads and stores of a warp --------------------*- C++ -*-===//
//
// From a column of addresses to host pointers, checked: bounds per allocation,
// alignment, constant memory, bytes that were never written, and (Check/)
// races. Counts sectors and wavefronts.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_ACCESS_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_ACCESS_H

#include "Block.h"

namespace kclaw::sim {

enum class AccessKind : uint8_t { Load, Store, Atomic };

enum class Window : uint8_t {
  Generic, ///< global, or a shared, local or parameter address of this block
  Global,
  Shared,        ///< 32-bit window of the block
  SharedCluster, ///< 32-bit window, any block of the cluster
  Local,         ///< offset in the thread's stack
  Frame,         ///< offset in the running function's frame of that stack
  Parameter,     ///< offset in the kernel's parameters
  Const
};

/// Host address of each active lane's access; others are undefined.
struct Lanes {
  std::byte *at[lanes];
  bool contiguous = false; ///< all lanes, at[l] == at[0] + l * bytes
};

/// Where the lanes of `inst` access: addresses in column inst.a (64-bit when
/// `wide`, else 32-bit, noRef: none) plus inst.imm. `bytes` of one lane's whole
/// access (a vector's elements together), a power of two. Throws FaultError.
void resolve(Warp &w, const Inst &inst, Window window, bool wide,
             unsigned bytes, AccessKind kind, Lanes &out);

/// One address (TMA, mbarrier, ldmatrix rows): the host pointer.
std::byte *resolveOne(Warp &w, const Inst &inst, unsigned lane, Window window,
                      uint64_t address, unsigned bytes, AccessKind kind);

/// Start of a thread's frame in local memory.
std::byte *localFrame(Warp &w, unsigned lane);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_ACCESS_H
