//===- AsyncState.h - Copies in flight and the barriers they signal -*- C++
//-*-//
//
// Copies land late: at the wait that covers them, or when somebody looks at
// the mbarrier that they signal, so that a kernel that forgets to wait reads
// old data. Bytes of shared memory that a copy is going to write are marked
// until it lands (markPending), for the MissingWait check.
//
// A mbarrier is 64 bits of shared memory, in a format of our own. All blocks of
// a cluster run on one host thread, so nothing here is atomic.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_ASYNCSTATE_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_ASYNCSTATE_H

#include "Access.h"

#include <deque>
#include <functional>
#include <unordered_map>

namespace kclaw::sim {

/// One thread's part of a cp.async.
struct SmallCopy {
  std::byte *to = nullptr;
  const std::byte *from = nullptr;
  uint8_t bytes = 0, sourceBytes = 0; ///< the rest is filled with zeros
  uint32_t group = 0;
};

using Landing = std::function<void()>;

/// cp.async and cp.async.bulk of one thread, oldest first. Groups are counted
/// from 0; those below `committed` are complete.
struct ThreadCopies {
  std::deque<SmallCopy> small;
  uint64_t smallLanded = 0;    ///< how many have left `small`
  uint64_t smallSignalled = 0; ///< how many a mbarrier was told of
  uint32_t smallCommitted = 0;
  struct Bulk {
    Landing land;
    uint32_t group;
  };
  std::deque<Bulk> bulk;
  uint32_t bulkCommitted = 0;
};

struct AsyncState {
  std::vector<ThreadCopies> threads;
  /// What happens to a mbarrier of this block later, by its host address.
  std::unordered_map<uintptr_t, std::vector<Landing>> transactions;
  uint64_t pendingBytes = 0; ///< marked in this block's shared memory
};

AsyncState &asyncOf(Block &block);
/// The copies of a thread of this warp.
ThreadCopies &copiesOf(Warp &w, unsigned lane);

/// Lands the cp.async copies of a thread: those of groups below `group`, which
/// it has waited for, as if it had written them itself now; or the first
/// `count` that it ever issued, which a mbarrier orders.
void landSmallGroups(Warp &w, unsigned lane, uint32_t group);
void landSmallCount(Block &block, ThreadCopies &copies, uint64_t count);
void landBulkGroups(ThreadCopies &copies, uint32_t group);
/// The active lanes end: what they have in flight lands.
void finishAsync(Warp &w);

/// The block of the cluster that owns a byte of shared memory, or null.
Block *ownerOf(Cluster &cluster, const std::byte *at);

/// Host address of a range that a bulk copy reads or writes: 16-byte aligned,
/// a multiple of 16 bytes, inside of one allocation. Throws FaultError.
std::byte *resolveRange(Warp &w, const Inst &inst, unsigned lane, Window window,
                        uint64_t address, uint64_t bytes, AccessKind kind);

// What the checks hear. Ranges outside of shared memory are ignored.
void markPending(Cluster &cluster, const std::byte *at, uint64_t bytes);
void markArrived(Cluster &cluster, const std::byte *at, uint64_t bytes);
/// The same of a reduction, which was not pending: several may be under way.
void markReduced(Cluster &cluster, const std::byte *at, uint64_t bytes);
/// 16 bytes at each offset in the block's shared window are read.
void noteRead(Warp &w, const Inst &inst, std::span<const uint32_t> offsets);
/// An object in memory orders threads: what the warp did before its release
/// is before what lanes do that acquire.
void noteRelease(Warp &w, const std::byte *object);
void noteAcquire(Warp &w, const std::byte *object, uint32_t acquiring);

/// The value of a mbarrier.
struct Mbarrier {
  static constexpr uint32_t maxCount = (1u << 20) - 1;
  uint32_t pending = 0;     ///< arrivals until the phase may complete
  uint32_t expected = 0;    ///< arrivals of the next phase
  int32_t transactions = 0; ///< bytes
  bool phase = false;       ///< parity of the current phase
  bool live = false;        ///< initialised

  static Mbarrier unpack(uint64_t word);
  uint64_t pack() const;
};

Mbarrier loadMbarrier(const std::byte *at);
/// Stores it; completes the phase when nothing is pending, and wakes those who
/// wait for it.
void storeMbarrier(Cluster &cluster, std::byte *at, Mbarrier value);
/// Bytes of a transaction have arrived.
void completeTransaction(Cluster &cluster, std::byte *at, uint64_t bytes);
/// `land` happens when somebody looks at the mbarrier.
void defer(Cluster &cluster, std::byte *mbarrier, Landing land);
void landTransactions(Cluster &cluster, std::byte *mbarrier);

/// barrier.cluster: completes when all threads of the cluster that have not
/// exited arrived; called on arrival and when threads exit.
void completeClusterBarrier(Cluster &cluster);
/// Split::token of those who wait at it; bar.sync uses 1 to 16.
constexpr uint64_t clusterBarrierToken = 17;

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_ASYNCSTATE_H
