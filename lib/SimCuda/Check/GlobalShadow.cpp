//===- GlobalShadow.cpp - Races in global memory --------------------------===//
//
// Two words for each four bytes of an allocation: the last write and the last
// read, each the number of the block above its stamp. A page of the shadow is
// cleared when a launch first uses it, so launches never meet.
//
// Blocks of a launch are ordered only by fences with atomics or other strong
// accesses. Who did that with whom is not followed: a block that has fenced and
// used a strong access is taken as ordered with all others that have (grid
// barriers, last-block reductions, look-back scans).
//
//===----------------------------------------------------------------------===//
#include "../Exec/Fault.h"
#include "BlockChecks.h"

#include <mutex>
#include <sys/mman.h>
#include <thread>

namespace kclaw::sim {

namespace {

constexpr uint64_t pageGranules = 1024;
constexpr uint32_t manyBlocks = ~0u;
constexpr uint32_t clearing = ~0u; ///< a page's launch while it is cleared

class GlobalShadow {
public:
  explicit GlobalShadow(uint64_t bytes)
      : pages((bytes / 4 + pageGranules) / pageGranules),
        launchOf(new std::atomic<uint32_t>[pages]()),
        words(static_cast<uint64_t *>(
            mmap(nullptr, size(), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  ~GlobalShadow() {
    munmap(words, size());
    delete[] launchOf;
  }

  bool usable() const { return words != MAP_FAILED; }
  /// The words of the writes of a page; those of reads follow pageGranules on.
  uint64_t *page(uint64_t index, uint32_t launch) {
    if (launchOf[index].load(std::memory_order_acquire) != launch)
      clear(index, launch);
    return words + index * 2 * pageGranules;
  }

private:
  size_t size() const { return pages * 2 * pageGranules * sizeof(uint64_t); }

  void clear(uint64_t index, uint32_t launch) {
    uint32_t old = launchOf[index].load(std::memory_order_acquire);
    while (old != launch) {
      if (old == clearing) {
        std::this_thread::yield();
        old = launchOf[index].load(std::memory_order_acquire);
      } else if (launchOf[index].compare_exchange_weak(old, clearing)) {
        std::fill_n(words + index * 2 * pageGranules, 2 * pageGranules, 0);
        launchOf[index].store(launch, std::memory_order_release);
        return;
      }
    }
  }

  uint64_t pages;
  std::atomic<uint32_t> *launchOf;
  uint64_t *words;
};

GlobalShadow *shadowOf(Allocation &allocation) {
  std::atomic_ref<void *> place(allocation.raceShadow);
  if (void *shadow = place.load(std::memory_order_acquire))
    return static_cast<GlobalShadow *>(shadow);
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (!place.load()) {
    auto *shadow = new GlobalShadow(allocation.bytes);
    allocation.releaseShadow = [](void *s) {
      delete static_cast<GlobalShadow *>(s);
    };
    place.store(shadow, std::memory_order_release);
  }
  return static_cast<GlobalShadow *>(place.load());
}

std::atomic<uint8_t> &orderedFlag(Grid &grid, uint64_t block) {
  return grid.orderedBlocks[block % grid.orderedBlockCount];
}

/// What one access needs to know of its warp.
struct Access {
  const Touch &touch;
  Order &order;
  uint64_t block; ///< number + 1, in the upper half of a word
  Stamp base;     ///< time, warp, strong
  uint64_t floor; ///< words in [block, floor) are ordered
  const char *verb;

  explicit Access(const Touch &touch)
      : touch(touch), order(touch.w.block->checks->order),
        block((touch.w.block->linear + 1) << 32) {
    const WarpOrder &mine = order[touch.w.index];
    base = mine.now << stamp::timeShift | touch.w.index << stamp::warpShift |
           (touch.strong() ? stamp::strong : 0);
    floor = uint64_t(mine.floor + 1) << stamp::timeShift;
  }

  uint64_t word(unsigned lane, Stamp bytes) const {
    Stamp who =
        (touch.several >> lane) & 1 ? stamp::several : lane << stamp::laneShift;
    return block | base | who | bytes;
  }
  bool settled(uint64_t old) const { return !old || old - block < floor; }

  bool conflicts(uint64_t old, uint64_t now, unsigned lane,
                 bool oldIsRead) const {
    auto was = Stamp(old), is = Stamp(now);
    if (settled(old) || !(was & is & stamp::allBytes) ||
        (was & is & stamp::strong))
      return false;
    if ((old ^ now) >> 32) {
      Grid &grid = *touch.w.block->grid;
      uint32_t other = uint32_t(old >> 32);
      bool mine = orderedFlag(grid, touch.w.block->linear);
      return !mine || (other != manyBlocks && !orderedFlag(grid, other - 1));
    }
    if (order.ordered(touch.w.index, lane, was))
      return false;
    if (stamp::warp(was) != touch.w.index || !(was & stamp::several))
      return true;
    return (oldIsRead || (was & stamp::strong)) && !stamp::isMixed(was);
  }

  static uint64_t mergeWords(uint64_t old, uint64_t now) {
    return (old >> 32 << 32) | stamp::merge(Stamp(old), Stamp(now));
  }
  static bool sameInterval(uint64_t old, uint64_t now) {
    return old >> stamp::warpShift == now >> stamp::warpShift;
  }

  [[noreturn]] void report(unsigned lane, uint64_t offset, uint64_t old,
                           const char *what, const char *whatOld) const {
    uint32_t other = uint32_t(old >> 32);
    auto who = Stamp(old);
    std::string name;
    if (other == manyBlocks)
      name = "other blocks";
    else if ((old ^ block) >> 32)
      name = "block " + std::to_string(other - 1);
    else
      name = "another thread of the block, of warp " +
             std::to_string(stamp::warp(who)) + ",";
    fail(touch.w, touch.inst, FaultKind::Race, lane, offset,
         std::string(what) + " global memory that " + name + " " + whatOld +
             ", and nothing orders the two");
  }

  void read(uint64_t *w, uint64_t *r, uint64_t now, unsigned lane,
            uint64_t address) const {
    if (conflicts(*w, now, lane, false))
      report(lane, address, *w, "reads", "wrote");
    uint64_t old = *r;
    if (sameInterval(old, now))
      *r = mergeWords(old, now);
    else if (settled(old) || !((old ^ now) >> 32) ||
             ((old ^ now) & stamp::allBytes))
      *r = now;
    else
      *r = uint64_t(manyBlocks) << 32 | (now & 0xffffffff);
  }
  /// True: over an unordered write.
  bool write(uint64_t *w, const uint64_t *r, uint64_t now, unsigned lane,
             uint64_t address) const {
    if (conflicts(*r, now, lane, true))
      report(lane, address, *r, "writes", "read");
    bool suspicious = conflicts(*w, now, lane, false);
    if (suspicious && touch.kind == AccessKind::Atomic)
      report(lane, address, *w, "changes", "wrote");
    *w = sameInterval(*w, now) ? mergeWords(*w, now) : now;
    return suspicious;
  }
};

/// All lanes read or write a word each, side by side in one page.
bool sideBySide(const Access &access, uint64_t *w, uint64_t *r) {
  const uint64_t first = access.word(0, stamp::allBytes);
  bool load = access.touch.kind == AccessKind::Load;
  uint64_t bad = 0;
  for (uint64_t l = 0; l < lanes; ++l) {
    uint64_t own = first + (l << stamp::laneShift);
    bad |= uint64_t(w[l] != 0) & uint64_t(w[l] - access.block >= access.floor) &
           uint64_t(w[l] != own);
    bad |= uint64_t(r[l] != 0) & uint64_t(r[l] - access.block >= access.floor) &
           uint64_t(r[l] != own);
  }
  if (bad)
    return false;
  uint64_t *target = load ? r : w;
  for (uint64_t l = 0; l < lanes; ++l)
    target[l] = first + (l << stamp::laneShift);
  return true;
}

} // namespace

uint32_t checkGlobalRaces(const Touch &touch, Allocation &allocation,
                          const uint64_t *offsets) {
  GlobalShadow *shadow = shadowOf(allocation);
  const uint32_t launch = touch.w.block->grid->raceEpoch;
  Access access(touch);
  if (!shadow->usable() || access.order.exhausted())
    return 0;
  access.order[touch.w.index].touched = true;
  bool load = touch.kind == AccessKind::Load;
  if (touch.leaders == allLanes && touch.bytes == 4 &&
      touch.kind != AccessKind::Atomic && offsets[31] - offsets[0] == 124 &&
      (offsets[0] & 4095) <= 4096 - 128) {
    uint64_t apart = 0;
    for (uint64_t l = 0; l < lanes; ++l)
      apart |= offsets[l] ^ (offsets[0] + 4 * l);
    uint64_t *w =
        shadow->page(offsets[0] / 4096, launch) + offsets[0] / 4 % pageGranules;
    if (!apart && sideBySide(access, w, w + pageGranules))
      return 0;
  }
  uint32_t suspicious = 0;
  for (uint32_t rest = touch.leaders; rest; rest &= rest - 1) {
    auto lane = unsigned(__builtin_ctz(rest));
    uint64_t offset = offsets[lane];
    Stamp bytes = touch.bytes >= 4 ? stamp::allBytes
                                   : ((1u << touch.bytes) - 1) << (offset & 3);
    uint64_t now = access.word(lane, bytes);
    // Aligned: all of a lane's access is in one page.
    uint64_t *w =
        shadow->page(offset / 4096, launch) + offset / 4 % pageGranules;
    for (uint32_t g = 0; g < (touch.bytes + 3) / 4; ++g, ++w) {
      uint64_t *r = w + pageGranules;
      if (load) {
        if (access.settled(*w) && access.settled(*r))
          *r = now;
        else
          access.read(w, r, now, lane, allocation.base + offset);
      } else if (access.settled(*w) && access.settled(*r)) {
        *w = now;
      } else {
        suspicious |=
            uint32_t(access.write(w, r, now, lane, allocation.base + offset))
            << lane;
      }
    }
  }
  if (touch.kind == AccessKind::Store && touch.several)
    suspicious |= touch.w.active & ~touch.leaders;
  return suspicious;
}

void BlockChecks::fence(Block &block) {
  fenced = ownFence = true;
  if (strong)
    orderedFlag(*block.grid, block.linear) = 1;
}
void BlockChecks::strongGlobal(Block &block) {
  strong = true;
  if (fenced)
    orderedFlag(*block.grid, block.linear) = 1;
}

} // namespace kclaw::sim
