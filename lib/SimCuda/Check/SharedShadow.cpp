//===- SharedShadow.cpp - Races and undefined bytes in shared memory ------===//
#include "../Exec/Fault.h"
#include "BlockChecks.h"

#include <algorithm>
#include <cstring>

namespace kclaw::sim {

BlockChecks::BlockChecks(size_t warpCount, uint32_t sharedBytes,
                         size_t localBytes)
    : accumulators(warpCount), order(warpCount),
      granules((sharedBytes + 3) / 4),
      writer(std::make_unique<Stamp[]>(granules)),
      reader(std::make_unique<Stamp[]>(granules)),
      secondReader(std::make_unique<Stamp[]>(granules)),
      partly((sharedBytes + 63) / 64), localWritten((localBytes + 63) / 64) {}

void BlockChecks::beginBlock() {
  if (order.beginBlock())
    for (Stamp *stamps : {writer.get(), reader.get(), secondReader.get()})
      std::fill_n(stamps, granules, 0);
  if (anyPartly)
    std::ranges::fill(partly, 0);
  if (anyLocal)
    std::ranges::fill(localWritten, 0);
  anyPartly = anyLocal = fenced = strong = ownFence = false;
  barriers = {};
  onlyArrived = {};
  remotely.clear();
  phaseStart = order[0].now;
  for (AccumulatorsInFlight &flight : accumulators)
    flight = {};
}

Stamp BlockChecks::stampOf(const Touch &touch, unsigned lane,
                           Stamp bytes) const {
  uint32_t warp = touch.w.index;
  Stamp who =
      (touch.several >> lane) & 1 ? stamp::several : lane << stamp::laneShift;
  return const_cast<Order &>(order)[warp].now << stamp::timeShift |
         warp << stamp::warpShift | who | (touch.strong() ? stamp::strong : 0) |
         bytes;
}

bool BlockChecks::conflicts(const Touch &touch, unsigned lane, Stamp old,
                            Stamp now, bool oldIsRead) const {
  if (!(old & now & stamp::allBytes) || (old & now & stamp::strong) ||
      order.ordered(touch.w.index, lane, old))
    return false;
  if (stamp::warp(old) != touch.w.index || !(old & stamp::several))
    return true;
  // Of a mix, nobody knows who touched what.
  return (oldIsRead || (old & stamp::strong)) && !stamp::isMixed(old);
}

static std::string nameThread(const Block &block, Stamp who) {
  uint32_t lane = who & stamp::several ? 0 : stamp::lane(who);
  Dim3 t = block.threadIndex(stamp::warp(who) * lanes + lane);
  std::string text = "(" + std::to_string(t.x) + "," + std::to_string(t.y) +
                     "," + std::to_string(t.z) + ")";
  return who & stamp::several
             ? "threads of warp " + std::to_string(stamp::warp(who))
             : "thread " + text;
}

[[noreturn]] static void reportShared(const Touch &touch, uint32_t offset,
                                      unsigned lane, Stamp old,
                                      const char *what, const char *whatOld) {
  fail(touch.w, touch.inst, FaultKind::Race, lane,
       touch.w.block->windowBase() + offset,
       std::string(what) + " byte " +
           std::to_string(offset - sharedSystemBytes) +
           " of shared memory that " + nameThread(*touch.w.block, old) + " " +
           whatOld + " with no barrier in between");
}

bool BlockChecks::defined(uint32_t byte) const {
  Stamp w = writer[byte / 4];
  if (stamp::time(w) >= order.start() && ((w >> (byte % 4)) & 1))
    return true;
  return anyPartly && ((partly[byte / 64] >> (byte % 64)) & 1);
}

/// An element of which no byte was ever written is undefined; one with some
/// may be a structure with padding.
void BlockChecks::checkDefined(const Touch &touch, const Place &place) {
  for (uint32_t e = 0; e < touch.bytes; e += touch.element) {
    bool any = false;
    for (uint32_t b = 0; b < touch.element && !any; ++b)
      any = defined(place.offset + e + b);
    if (!any)
      fail(touch.w, touch.inst, FaultKind::Uninitialised, place.lane,
           touch.w.block->windowBase() + place.offset + e,
           "byte " + std::to_string(place.offset + e - sharedSystemBytes) +
               " of shared memory was never written by this block");
  }
}

void BlockChecks::readShared(const Touch &touch, uint32_t granule, Stamp now,
                             const Place &place) {
  Stamp w = writer[granule];
  if (w == stamp::pending)
    fail(touch.w, touch.inst, FaultKind::MissingWait, place.lane,
         touch.w.block->windowBase() + place.offset,
         "reads shared memory that an asynchronous copy is still writing");
  if (stamp::time(w) < order.start() ||
      (w & stamp::allBytes) != stamp::allBytes)
    checkDefined(touch, place);
  if (stamp::time(w) >= order.start() &&
      conflicts(touch, place.lane, w, now, false))
    reportShared(touch, place.offset, place.lane, w, "reads", "wrote");
  Stamp &first = reader[granule];
  if (stamp::interval(first) == stamp::interval(now))
    first = stamp::merge(first, now);
  else if (order.ordered(touch.w.index, place.lane, first))
    first = now;
  else if (Stamp &second = secondReader[granule];
           stamp::interval(second) == stamp::interval(now))
    second = stamp::merge(second, now);
  else
    second = now;
}

void BlockChecks::rememberPartly(uint32_t granule, Stamp bytes) {
  anyPartly = true;
  partly[granule / 16] |= uint64_t(bytes) << (granule % 16 * 4);
}

/// True: another thread wrote there, unordered.
bool BlockChecks::writeShared(const Touch &touch, uint32_t granule, Stamp now,
                              const Place &place) {
  Stamp &w = writer[granule];
  bool suspicious = false;
  if (w == stamp::pending)
    fail(touch.w, touch.inst, FaultKind::MissingWait, place.lane,
         touch.w.block->windowBase() + place.offset,
         "writes shared memory that an asynchronous copy is still writing");
  bool ofThisBlock = stamp::time(w) >= order.start();
  if (touch.kind == AccessKind::Atomic && !(ofThisBlock && (w & 15) == 15))
    checkDefined(touch, place);
  if (ofThisBlock && conflicts(touch, place.lane, w, now, false)) {
    if (touch.kind == AccessKind::Atomic)
      reportShared(touch, place.offset, place.lane, w, "changes", "wrote");
    suspicious = true;
  }
  for (Stamp r : {reader[granule], secondReader[granule]})
    if (stamp::time(r) >= order.start() &&
        conflicts(touch, place.lane, r, now, true))
      reportShared(touch, place.offset, place.lane, r, "writes", "read");
  if (ofThisBlock && (w & 15) != (now & 15) && (now & 15) != 15)
    rememberPartly(granule, w & 15);
  w = stamp::interval(w) == stamp::interval(now) ? stamp::merge(w, now) : now;
  return suspicious;
}

/// 32 lanes read a word each, side by side. A word that another warp has read
/// since the last barrier gets its second reader.
bool BlockChecks::readSideBySide(const Touch &touch, uint32_t granule) {
  const WarpOrder &mine = order[touch.w.index];
  const Stamp low = order.start() << stamp::timeShift;
  const Stamp span = ((mine.floor + 1) << stamp::timeShift) - low;
  const Stamp *w = &writer[granule];
  uint32_t bad = 0;
  for (uint32_t l = 0; l < lanes; ++l)
    bad |= uint32_t(w[l] - low >= span) | (~w[l] & stamp::allBytes);
  if (bad)
    return false;
  Stamp *r = &reader[granule], *s = &secondReader[granule];
  const Stamp base = stampOf(touch, 0, stamp::allBytes);
  for (uint32_t l = 0; l < lanes; ++l) {
    Stamp own = base + (l << stamp::laneShift);
    bool first = r[l] < low + span || r[l] == own;
    s[l] = first ? s[l] : own;
    r[l] = first ? own : r[l];
  }
  return true;
}

bool BlockChecks::writeSideBySide(const Touch &touch, uint32_t granule) {
  const WarpOrder &mine = order[touch.w.index];
  const Stamp limit = (mine.floor + 1) << stamp::timeShift;
  Stamp *w = &writer[granule];
  const Stamp *r = &reader[granule], *s = &secondReader[granule];
  const Stamp base = stampOf(touch, 0, stamp::allBytes);
  uint32_t bad = 0;
  for (uint32_t l = 0; l < lanes; ++l) {
    Stamp own = base + (l << stamp::laneShift);
    bool writeOk = w[l] < limit || w[l] == own;
    bool readOk = r[l] < limit || r[l] == own;
    bad |= uint32_t(!writeOk) | uint32_t(!readOk) | uint32_t(s[l] >= limit);
  }
  if (bad)
    return false;
  for (uint32_t l = 0; l < lanes; ++l)
    w[l] = base + (l << stamp::laneShift);
  return true;
}

uint32_t BlockChecks::shared(const Touch &touch, const uint32_t *offsets) {
  WarpOrder &mine = order[touch.w.index];
  mine.touched = true;
  bool load = touch.kind == AccessKind::Load;
  uint32_t suspicious = remotely.empty() ? 0 : ownAfterRemote(touch, offsets);
  if (touch.leaders == allLanes && touch.bytes == 4 &&
      touch.kind != AccessKind::Atomic && offsets[31] - offsets[0] == 124) {
    uint32_t apart = 0;
    for (uint32_t l = 0; l < lanes; ++l)
      apart |= offsets[l] ^ (offsets[0] + 4 * l);
    if (!apart && (load ? readSideBySide(touch, offsets[0] / 4)
                        : writeSideBySide(touch, offsets[0] / 4)))
      return suspicious;
  }
  const Stamp low = order.start() << stamp::timeShift;
  const Stamp span = ((mine.floor + 1) << stamp::timeShift) - low;
  for (uint32_t rest = touch.leaders; rest; rest &= rest - 1) {
    auto lane = unsigned(__builtin_ctz(rest));
    uint32_t offset = offsets[lane];
    Stamp bytes = touch.bytes >= 4 ? stamp::allBytes
                                   : ((1u << touch.bytes) - 1) << (offset & 3);
    Stamp now = stampOf(touch, lane, bytes);
    Place place{offset, lane};
    for (uint32_t g = offset / 4; g <= (offset + touch.bytes - 1) / 4; ++g) {
      if (load) {
        Stamp w = writer[g], &r = reader[g];
        if (w - low >= span || (~w & stamp::allBytes))
          readShared(touch, g, now, place);
        else if (r < low + span || r == now)
          r = now;
        else if (stamp::interval(r) == stamp::interval(now))
          r = stamp::merge(r, now);
        else
          secondReader[g] = now;
      } else {
        suspicious |= uint32_t(writeShared(touch, g, now, place)) << lane;
      }
    }
  }
  // Lanes that write where a leader writes, in the same instruction.
  if (touch.kind == AccessKind::Store && touch.several)
    suspicious |= touch.w.active & ~touch.leaders;
  return suspicious;
}

void BlockChecks::markPending(uint32_t offset, uint32_t bytes) {
  if (bytes)
    for (uint32_t g = offset / 4; g <= (offset + bytes - 1) / 4; ++g)
      writer[g] = stamp::pending;
}

void BlockChecks::markArrived(uint32_t offset, uint32_t bytes) {
  // Strong, at the block's first time: ordered before every access.
  if (bytes)
    for (uint32_t g = offset / 4; g <= (offset + bytes - 1) / 4; ++g) {
      writer[g] = order.start() << stamp::timeShift | stamp::several |
                  stamp::strong | stamp::allBytes;
      reader[g] = secondReader[g] = 0;
    }
}

void reportWrite(Warp &w, const Inst &inst, unsigned lane,
                 const std::byte *memory, const void *value, size_t bytes) {
  if (std::memcmp(memory, value, bytes) == 0)
    return;
  fail(w, inst, FaultKind::Race, lane, reinterpret_cast<uintptr_t>(memory),
       "writes a value over a different one that another thread wrote with no "
       "barrier in between");
}

} // namespace kclaw::sim
