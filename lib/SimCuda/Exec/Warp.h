//===- Warp.h - 32 lanes and their splits -----------------------*- C++ -*-===//
//
// Lanes of a warp that share a program counter form a split. One split runs at
// a time: the one whose next basic block has the lowest rank; splits that
// reach the same instruction with the same callers merge. A split that waits
// (barrier, warp synchronisation) lets the others run, so lanes of a warp make
// progress independently, as on sm_70 and newer.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_WARP_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_WARP_H

#include "Code.h"

#include <immintrin.h>

namespace kclaw::sim {

struct Block;

struct CallFrame {
  const Function *function = nullptr;
  uint32_t returnTo = 0;
  const Inst *call = nullptr; ///< its operands receive the results
  bool operator==(const CallFrame &) const = default;
};

struct Split {
  enum class State : uint8_t {
    Ready,
    AtBarrier,  ///< bar.sync and friends; the block releases it
    AtWarpSync, ///< *.sync: waits until the lanes of `waitMask` are here
    AtWait,     ///< polls: run again when others have moved (mbarrier, ...)
  } state = State::Ready;
  uint32_t mask = 0;
  uint32_t pc = 0;
  const Function *function = nullptr;
  std::vector<CallFrame> callers;
  uint32_t waitMask = 0; ///< AtWarpSync: the members
  /// Of the instruction that waits, 0 when it has not begun: its handler knows
  /// by it that it executes again.
  uint64_t token = 0;
};

struct Warp {
  // What handlers use.
  uint32_t active = 0;            ///< lanes that execute, guard applied
  std::byte *frame = nullptr;     ///< registers of the running frame
  std::byte *constants = nullptr; ///< minus nothing: Ref without its top bit
  Block *block = nullptr;
  uint32_t index = 0;   ///< in its block
  uint32_t present = 0; ///< lanes that exist in a block of this size
  uint32_t alive = 0;   ///< present and not exited
  std::vector<Split> splits;
  uint32_t running = 0;      ///< index of the split that runs
  uint32_t nextPc = 0;       ///< of the running split; control handlers set it
  bool stop = false;         ///< handler asks: leave the loop, reschedule
  uint32_t patience = 0;     ///< instructions until another ready split's turn
  uint64_t instructions = 0; ///< warp instructions so far (budget, clocks)
  uint64_t pathLoads = 0, pathCycles = 0; ///< sums of PathCost
  std::byte *registers = nullptr;         ///< all frames
  /// Lanes that arrived in the current phase of barrier.cluster.
  uint32_t clusterArrived = 0;
  uint64_t warpgroupOperations = 0; ///< wgmma.mma_async so far
  uint32_t carry = 0; ///< condition code register CC.CF, bit per lane
  /// What lanes that wait at a *.sync instruction give to the others, who may
  /// read it after these have gone on: the last few rounds.
  static constexpr unsigned exchangeRounds = 8;
  uint64_t exchange[exchangeRounds][lanes] = {};
  uint32_t exchangeRound = 0;

  Split &split() { return splits[running]; }
  uint32_t depth() { return uint32_t(splits[running].callers.size()); }

  template <class T> T *out(Ref ref) {
    return reinterpret_cast<T *>(frame + ref);
  }
  template <class T> const T *in(Ref ref) const {
    const std::byte *base = ref & constantBit ? constants : frame;
    return reinterpret_cast<const T *>(base + (ref & ~constantBit));
  }
  uint32_t predicate(Ref ref) const { return *in<uint32_t>(ref); }
  /// Writes the active lanes of a predicate.
  void setPredicate(Ref ref, uint32_t value) {
    uint32_t &column = *out<uint32_t>(ref);
    column = (column & ~active) | (value & active);
  }
};

/// d[l] = f(l) for the active lanes; all lanes are computed when that is free
/// of effects, so that the compiler makes vector code.
template <class T, class F> inline void eachLane(Warp &w, T *d, F &&f) {
  if (w.active == allLanes) {
    for (unsigned l = 0; l < lanes; ++l)
      d[l] = f(l);
    return;
  }
  T value[lanes];
  for (unsigned l = 0; l < lanes; ++l)
    value[l] = f(l);
  uint32_t mask = w.active;
  for (unsigned l = 0; l < lanes; ++l)
    d[l] = (mask >> l) & 1 ? value[l] : d[l];
}

/// For what is slow or has effects: f(l) for each active lane, lowest first.
template <class F> inline void activeLanes(const Warp &w, F &&f) {
  for (uint32_t mask = w.active; mask; mask &= mask - 1)
    f(unsigned(__builtin_ctz(mask)));
}

/// The mask of lanes for which f(l) is true.
template <class F> inline uint32_t laneMask(F &&f) {
  alignas(32) int32_t all[lanes]; // 0 or -1: sign bits are gathered by eights
  for (unsigned l = 0; l < lanes; ++l)
    all[l] = -int32_t(bool(f(l)));
  uint32_t mask = 0;
  for (unsigned l = 0; l < lanes; l += 8)
    mask |= uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(
                _mm256_load_si256(reinterpret_cast<__m256i *>(all + l)))))
            << l;
  return mask;
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_WARP_H
