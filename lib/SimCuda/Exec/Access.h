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
  Argument,      ///< the same, of a .param variable
  Parameter,     ///< offset in the kernel's parameters
  Const
};

/// Inst::small of memory instructions.
constexpr uint8_t accessWide = 1;   ///< the column of addresses is 64-bit
constexpr uint8_t accessStrong = 4; ///< volatile, relaxed, acquire, release
constexpr uint8_t accessOrders = 8; ///< acquire, release, acq_rel: like a fence
constexpr uint8_t accessPastL1 = 16; ///< .cg, .cv, .L1::no_allocate

/// Host address of each active lane's access; others are undefined.
struct Lanes {
  std::byte *at[lanes];
  uint32_t shared = 0;     ///< lanes whose access is to shared memory
  bool contiguous = false; ///< all lanes, at[l] == at[0] + l * bytes
  /// Stores: lanes that write what another thread wrote, unordered; a race
  /// unless it is the same value (Check/BlockChecks.h, reportWrite).
  uint32_t suspicious = 0;
};

/// Where the lanes of `inst` access: addresses in column inst.a (64-bit when
/// `wide`, else 32-bit, noRef: none) plus inst.imm. `bytes` of one lane's whole
/// access (a vector's elements together), a power of two. Throws FaultError.
void resolve(Warp &w, const Inst &inst, Window window, bool wide,
             unsigned bytes, AccessKind kind, Lanes &out);

/// One address (TMA, mbarrier, ldmatrix rows): the host pointer, checked as
/// resolve() does.
std::byte *resolveOne(Warp &w, const Inst &inst, unsigned lane, Window window,
                      uint64_t address, unsigned bytes, AccessKind kind);

/// Start of a thread's frame in local memory.
std::byte *localFrame(Warp &w, unsigned lane);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_ACCESS_H
