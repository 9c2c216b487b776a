//===- BlockChecks.h - Races, missing waits, undefined bytes ----*- C++ -*-===//
//
// What the checks know of one resident block; null when checks are off. Owned
// by the host thread that runs the block. Shared memory has a shadow of three
// stamps for each four bytes: the last write and two reads.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_CHECK_BLOCKCHECKS_H
#define KERNELCLAW_LIB_SIMCUDA_CHECK_BLOCKCHECKS_H

#include "../Exec/Access.h"
#include "Accumulators.h"
#include "Order.h"

namespace kclaw::sim {

/// One warp instruction's access, after bounds and alignment.
struct Touch {
  Warp &w;
  const Inst &inst;
  AccessKind kind;
  unsigned bytes;   ///< of a lane
  unsigned element; ///< bytes of one element of a vector
  uint32_t leaders; ///< one lane for each distinct address
  uint32_t several; ///< leaders that stand for more than one lane
  bool strong() const {
    return kind == AccessKind::Atomic || (inst.small & accessStrong);
  }
};

struct BlockChecks {
  BlockChecks(size_t warpCount, uint32_t sharedBytes, size_t localBytes);
  void beginBlock();

  /// Of shared memory, at offsets in the window. Throws FaultError. The result
  /// are lanes that write what another thread wrote, unordered: harmless if it
  /// is the same value, so the store handler looks (reportWrite).
  uint32_t shared(const Touch &touch, const uint32_t *offsets);
  /// Of the thread's stack.
  void local(const Touch &touch, unsigned lane, const std::byte *address);

  // For asynchronous copies into shared memory: reading bytes that are pending
  // is a missing wait; bytes that have arrived are ordered before everybody.
  void markPending(uint32_t offset, uint32_t bytes);
  void markArrived(uint32_t offset, uint32_t bytes);
  /// What a thread has waited for is its own write, now: others need a barrier.
  void markLanded(uint32_t warp, unsigned lane, uint32_t offset,
                  uint32_t bytes);
  void forgetPending(); ///< what never lands
  /// wgmma reads 16 bytes at each offset: no copy may be writing them, and
  /// something must have written them. Four warps read together and one of
  /// them may say so to others, so races are not looked for.
  void readByTensorCore(Warp &w, const Inst &inst,
                        std::span<const uint32_t> offsets);

  /// Of this block's shared memory, by a thread of another block of the
  /// cluster (Check/ClusterShadow.cpp). True: it writes what another block
  /// wrote, as above.
  bool remote(const Touch &touch, unsigned lane, const Block &owner,
              uint32_t offset);
  /// barrier.cluster has completed.
  void meetCluster(Block &block);

  /// The block fenced, and used strong accesses: it may be ordered with others.
  void fence(Block &block);
  void strongGlobal(Block &block);
  bool hasFenced() const { return ownFence; } ///< otherwise than by barriers

  std::vector<AccumulatorsInFlight> accumulators; ///< of each warp
  Order order;
  std::array<Clock, 16> barriers = {};
  std::array<bool, 16> onlyArrived = {}; ///< bar.arrive took part

private:
  struct Place {
    uint32_t offset;
    unsigned lane;
  };
  Stamp stampOf(const Touch &touch, unsigned lane, Stamp bytes) const;
  void readShared(const Touch &touch, uint32_t granule, Stamp now,
                  const Place &place);
  bool writeShared(const Touch &touch, uint32_t granule, Stamp now,
                   const Place &place);
  bool readSideBySide(const Touch &touch, uint32_t granule);
  bool writeSideBySide(const Touch &touch, uint32_t granule);
  bool conflicts(const Touch &touch, unsigned lane, Stamp old, Stamp now,
                 bool oldIsRead) const;
  void checkDefined(const Touch &touch, const Place &place);
  void rememberPartly(uint32_t granule, Stamp bytes);
  static bool signals(const Touch &touch);
  void againstOwner(const Touch &touch, unsigned lane, const Block &owner,
                    uint32_t offset, uint32_t granule) const;
  bool againstOthers(const Touch &touch, unsigned lane, const Block &owner,
                     uint32_t offset, uint32_t granule, uint8_t mine) const;
  uint32_t ownAfterRemote(const Touch &touch, const uint32_t *offsets) const;
  bool defined(uint32_t byte) const;

  uint32_t granules;
  std::unique_ptr<Stamp[]> writer, reader, secondReader;
  /// Bit a byte, of bytes written by accesses narrower than four bytes.
  std::vector<uint64_t> partly;
  bool anyPartly = false;
  std::vector<uint64_t> localWritten;
  bool anyLocal = false;
  bool fenced = false, strong = false, ownFence = false;

  /// What other blocks of the cluster did to four bytes in this phase of
  /// barrier.cluster: the last ones' rank + 1.
  struct Remote {
    uint8_t writer = 0, reader = 0;
    bool strongWrite = false;
  };
  std::unordered_map<uint32_t, Remote> remotely;
  uint32_t phaseStart = 0; ///< time of this block's accesses in this phase
};

/// The race check of global memory (Check/GlobalShadow.cpp), likewise.
uint32_t checkGlobalRaces(const Touch &touch, Allocation &allocation,
                          const uint64_t *offsets);

/// Called by the store handler for suspicious lanes: a race if the bytes that
/// it is about to write differ from those in memory.
void reportWrite(Warp &w, const Inst &inst, unsigned lane,
                 const std::byte *memory, const void *value, size_t bytes);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_CHECK_BLOCKCHECKS_H
