//===- ClusterShadow.cpp - Shared memory of other blocks of a cluster -----===//
//
// What other blocks did to a block's shared memory since barrier.cluster last
// completed, against what its own threads and third blocks do: only that
// barrier orders them. Whole words are followed. Blocks that signal each other
// in another way (a mbarrier, flags) are taken as ordered from then on, for the
// rest of the cluster: who waited for whom is not followed.
//
//===----------------------------------------------------------------------===//
#include "../Exec/Fault.h"
#include "BlockChecks.h"

namespace kclaw::sim {

namespace {

std::string blockName(unsigned rankPlusOne) {
  return "block " + std::to_string(rankPlusOne - 1) + " of the cluster";
}

[[noreturn]] void report(const Touch &touch, unsigned lane, const Block &owner,
                         uint32_t offset, const std::string &who,
                         const char *whatOld) {
  bool load = touch.kind == AccessKind::Load;
  fail(touch.w, touch.inst, FaultKind::Race, lane, owner.windowBase() + offset,
       std::string(load ? "reads" : "writes") + " byte " +
           std::to_string(offset - sharedSystemBytes) +
           " of the shared memory of " + blockName(owner.rank + 1) + " that " +
           who + " " + whatOld + " with no cluster barrier in between");
}

} // namespace

bool BlockChecks::signals(const Touch &touch) {
  return touch.inst.kind == InstClass::Barrier ||
         touch.inst.kind == InstClass::AsyncCopy ||
         (touch.kind != AccessKind::Atomic && touch.strong()) ||
         (touch.inst.small & accessOrders);
}

void BlockChecks::meetCluster(Block &block) {
  order.meet();
  bool itself = ownFence;
  fence(block);
  strongGlobal(block);
  ownFence = itself;
  phaseStart = order[0].now;
  remotely.clear();
}

/// The owner's threads since the phase began.
void BlockChecks::againstOwner(const Touch &touch, unsigned lane,
                               const Block &owner, uint32_t offset,
                               uint32_t granule) const {
  auto clashes = [&](Stamp old) {
    return old != stamp::pending && stamp::time(old) >= phaseStart &&
           !(touch.strong() && (old & stamp::strong));
  };
  std::string who = "a thread of that block";
  if (clashes(writer[granule]))
    report(touch, lane, owner, offset, who, "wrote");
  if (touch.kind != AccessKind::Load &&
      (clashes(reader[granule]) || clashes(secondReader[granule])))
    report(touch, lane, owner, offset, who, "read");
}

/// Other blocks than that of rank `mine` - 1 since the phase began.
bool BlockChecks::againstOthers(const Touch &touch, unsigned lane,
                                const Block &owner, uint32_t offset,
                                uint32_t granule, uint8_t mine) const {
  auto found = remotely.find(granule);
  if (found == remotely.end())
    return false;
  const Remote &old = found->second;
  bool load = touch.kind == AccessKind::Load;
  bool wrote =
      old.writer && old.writer != mine && !(touch.strong() && old.strongWrite);
  if (wrote && touch.kind != AccessKind::Store)
    report(touch, lane, owner, offset, blockName(old.writer), "wrote");
  if (!load && old.reader && old.reader != mine)
    report(touch, lane, owner, offset, blockName(old.reader), "read");
  return wrote;
}

bool BlockChecks::remote(const Touch &touch, unsigned lane, const Block &owner,
                         uint32_t offset) {
  const Block &block = *touch.w.block;
  bool load = touch.kind == AccessKind::Load, suspicious = false;
  if (signals(touch))
    block.cluster->signalled = true;
  bool follows =
      !block.cluster->signalled && !order.exhausted() && touch.element >= 4;
  auto mine = uint8_t(block.rank + 1);
  for (uint32_t g = offset / 4; follows && g < (offset + touch.bytes) / 4;
       ++g) {
    againstOwner(touch, lane, owner, offset, g);
    suspicious |= againstOthers(touch, lane, owner, offset, g, mine);
    Remote &now = remotely[g];
    if (load) {
      now.reader = mine;
    } else {
      now.writer = mine;
      now.strongWrite = touch.strong();
    }
  }
  bool known = false;
  for (uint32_t b = 0; b < touch.bytes && !known; ++b)
    known = defined(offset + b) || writer[(offset + b) / 4] == stamp::pending;
  if (touch.kind != AccessKind::Store && !known && !signals(touch))
    fail(touch.w, touch.inst, FaultKind::Uninitialised, lane,
         owner.windowBase() + offset,
         "byte " + std::to_string(offset - sharedSystemBytes) +
             " of the shared memory of " + blockName(owner.rank + 1) +
             " was never written");
  if (!load)
    markArrived(offset, touch.bytes); // ordered before its own threads
  return suspicious;
}

uint32_t BlockChecks::ownAfterRemote(const Touch &touch,
                                     const uint32_t *offsets) const {
  const Block &block = *touch.w.block;
  uint32_t suspicious = 0;
  if (block.cluster->signalled || signals(touch) || touch.element < 4)
    return suspicious;
  for (uint32_t rest = touch.leaders; rest; rest &= rest - 1) {
    auto lane = unsigned(__builtin_ctz(rest));
    for (uint32_t g = offsets[lane] / 4; g < (offsets[lane] + touch.bytes) / 4;
         ++g)
      suspicious |= uint32_t(againstOthers(touch, lane, block, offsets[lane], g,
                                           uint8_t(block.rank + 1)))
                    << lane;
  }
  return suspicious;
}

} // namespace kclaw::sim
