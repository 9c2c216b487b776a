//===- Pattern.cpp --------------------------------------------------------===//
#include "Pattern.h"

#include <algorithm>
#include <cstring>

namespace kclaw::sim {

uint32_t sharedWavefronts(const uint32_t *address, uint32_t active,
                          unsigned bytes) {
  unsigned words = std::max(1u, bytes / 4);
  unsigned phase = lanes / std::min(words, lanes);
  uint32_t total = 0;
  for (unsigned first = 0; first < lanes; first += phase) {
    std::array<std::array<uint32_t, lanes>, 32> bank; // words of each bank
    std::array<uint8_t, 32> count = {};
    uint32_t most = 0;
    for (unsigned l = first; l < first + phase; ++l) {
      if (!((active >> l) & 1))
        continue;
      for (unsigned k = 0; k < words; ++k) {
        uint32_t word = address[l] / 4 + k, b = word % 32;
        auto *end = bank[b].data() + count[b];
        if (std::find(bank[b].data(), end, word) != end)
          continue;
        *end = word;
        most = std::max<uint32_t>(most, ++count[b]);
      }
    }
    total += most;
  }
  return total;
}

uint32_t sharedPhases(uint32_t active, unsigned bytes) {
  unsigned phase = lanes / std::min(std::max(1u, bytes / 4), lanes);
  uint32_t total = 0;
  for (unsigned first = 0; first < lanes; first += phase)
    total += ((active >> first) & uint32_t((uint64_t(1) << phase) - 1)) != 0;
  return total;
}

uint32_t sectorCount(const uint32_t *address, uint32_t active, unsigned bytes) {
  uint32_t seen[lanes * 2];
  unsigned count = 0;
  for (uint32_t mask = active; mask; mask &= mask - 1) {
    uint32_t at = address[__builtin_ctz(mask)];
    for (uint32_t s = at / 32; s <= (at + bytes - 1) / 32; ++s)
      if (count == 0 || seen[count - 1] != s)
        seen[count++] = s;
  }
  if (!std::is_sorted(seen, seen + count))
    std::sort(seen, seen + count);
  return uint32_t(std::unique(seen, seen + count) - seen);
}

static void analyse(AccessPattern &p, unsigned bytes) {
  // Far from zero, so that relative addresses below the first stay positive.
  uint32_t address[lanes];
  for (unsigned l = 0; l < lanes; ++l)
    address[l] = (1u << 31) + p.low + p.relative[l];
  p.leaders = p.active;
  p.several = 0;
  p.serial = 1;
  p.contiguous = p.active == allLanes;
  for (unsigned l = 0; l < lanes; ++l)
    p.contiguous &= p.relative[l] == l * bytes;
  if (!p.contiguous)
    for (uint32_t rest = p.active; rest; rest &= rest - 1) {
      auto l = unsigned(__builtin_ctz(rest));
      if (!((p.leaders >> l) & 1))
        continue;
      uint32_t same = p.active & laneMask([&](unsigned m) {
                        return p.relative[m] == p.relative[l];
                      });
      p.leaders &= ~same | (1u << l);
      if (same & (same - 1))
        p.several |= 1u << l;
      p.serial = std::max(p.serial, uint32_t(__builtin_popcount(same)));
    }
  p.cost = p.shared ? sharedWavefronts(address, p.leaders, bytes)
                    : sectorCount(address, p.leaders, bytes);
  p.ideal = sharedPhases(p.leaders, bytes);
}

const AccessPattern &patternOf(Block &block, const Inst &inst, uint32_t active,
                               const uint32_t *relative, uint32_t low,
                               unsigned bytes, bool shared) {
  AccessPattern &p = patternSlot(block, inst);
  if (p.inst == &inst && p.active == active && p.low == low &&
      p.shared == shared &&
      std::memcmp(p.relative.data(), relative, sizeof p.relative) == 0)
    return p;
  p.inst = &inst;
  p.active = active;
  p.low = low;
  p.shared = shared;
  std::copy_n(relative, lanes, p.relative.data());
  analyse(p, bytes);
  return p;
}

} // namespace kclaw::sim
