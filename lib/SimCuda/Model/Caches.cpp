//===- Caches.cpp ---------------------------------------------------------===//
#include "Caches.h"

#include <algorithm>
#include <bit>

namespace kclaw::sim {

L1Cache::L1Cache(uint64_t bytes)
    : sets(std::bit_floor(std::max<uint64_t>(bytes / lineBytes / ways, 1))),
      next(sets.size()) {}

uint32_t L1Cache::read(uint64_t line, uint32_t sectors) {
  size_t index = (line ^ (line >> 8)) & (sets.size() - 1);
  auto &set = sets[index];
  for (Line &entry : set)
    if (entry.address == line && entry.epoch == epoch) {
      uint32_t hits = entry.sectors & sectors;
      entry.sectors |= sectors;
      return hits;
    }
  set[next[index]++ % ways] = {line, epoch, sectors};
  return 0;
}

L2Cache::L2Cache(uint64_t bytes)
    : count(std::max<uint64_t>(bytes / lineBytes / sampling / ways, 1)),
      sets(std::make_unique<Set[]>(count)) {
  for (size_t s = 0; s < count; ++s) {
    Set &set = sets[s];
    set.line.fill(~0ull);
    set.sectors.fill(0);
    set.dirty.fill(0);
    set.random = uint32_t(s) * 2654435761u + 1;
  }
}

L2Cache::Use L2Cache::access(uint64_t line, uint32_t sectors, bool read,
                             bool write) {
  Set &set = sets[(hash(line) >> 8) % count];
  while (set.lock.test_and_set(std::memory_order_acquire)) {
  }
  size_t way = size_t(std::ranges::find(set.line, line) - set.line.begin());
  if (way == ways) {
    way = size_t(std::ranges::find(set.line, ~0ull) - set.line.begin());
    if (way == ways) {
      set.random = set.random * 1664525u + 1013904223u;
      way = set.random >> 28;
    }
    set.line[way] = line;
    set.sectors[way] = set.dirty[way] = 0;
  }
  Use use;
  uint32_t there = set.sectors[way];
  use.hits = uint32_t(std::popcount(there & sectors));
  use.misses = uint32_t(std::popcount(sectors & ~there));
  if (read) {
    uint32_t missing = sectors & ~there; // both sectors of 64 bytes
    missing |= ((missing & 5) << 1) | ((missing & 10) >> 1);
    missing &= ~there;
    use.fetched = uint32_t(std::popcount(missing));
    there |= missing;
  }
  if (write) {
    use.written = uint32_t(std::popcount(sectors & ~set.dirty[way]));
    set.dirty[way] |= uint8_t(sectors);
  }
  set.sectors[way] = uint8_t(there | sectors);
  set.lock.clear(std::memory_order_release);
  return use;
}

void L2Cache::clean() {
  for (size_t s = 0; s < count; ++s)
    sets[s].dirty.fill(0);
}

} // namespace kclaw::sim
