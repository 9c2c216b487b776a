//===- Caches.h - Models of the first and second level cache ----*- C++ -*-===//
//
// What is in a cache, not when: lines of 128 bytes, of which each 32-byte
// sector is there or not.
//
// L1: of one resident block, four ways, empty when the block starts (hardware
// shares it between the blocks of a multiprocessor), written through, no
// allocation on a store.
//
// L2: of the device, 16 ways, any of which may be replaced (by a fixed sequence
// of numbers), kept between launches. One line in 16 is modelled, chosen by a
// hash of its address; what happens to it stands for the others. A load that
// misses fetches 64 bytes, as the memory does. A sector that is written counts
// as written to memory once until the next launch: hardware writes back early.
//
// Threads: an L1 belongs to one host thread; an L2 may be used by several, with
// a lock a set. With several host threads what is evicted depends on their
// order.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_MODEL_CACHES_H
#define KERNELCLAW_LIB_SIMCUDA_MODEL_CACHES_H

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace kclaw::sim {

constexpr unsigned lineBytes = 128, sectorBytes = 32;

class L1Cache {
public:
  explicit L1Cache(uint64_t bytes);
  void clear() { ++epoch; }
  /// Reads sectors (bits 0..3) of a line; those that were there. The others are
  /// there afterwards.
  uint32_t read(uint64_t line, uint32_t sectors);

private:
  static constexpr unsigned ways = 4;
  struct Line {
    uint64_t address = ~0ull;
    uint32_t epoch = 0, sectors = 0;
  };
  std::vector<std::array<Line, ways>> sets;
  std::vector<uint8_t> next; ///< way to replace
  uint32_t epoch = 1;
};

class L2Cache {
public:
  static constexpr unsigned sampling = 16;
  explicit L2Cache(uint64_t bytes);

  struct Use {
    uint32_t hits = 0, misses = 0; ///< sectors that were asked for
    uint32_t fetched = 0;          ///< sectors read from memory
    uint32_t written = 0;          ///< sectors that memory must be given
  };
  bool samples(uint64_t line) const { return hash(line) % sampling == 0; }
  /// Of a line that samples() is true for.
  Use access(uint64_t line, uint32_t sectors, bool read, bool write);
  /// A launch begins: what was written before has reached the memory.
  void clean();

private:
  static constexpr unsigned ways = 16;
  struct Set {
    std::array<uint64_t, ways> line;
    std::array<uint8_t, ways> sectors, dirty;
    uint32_t random;
    std::atomic_flag lock;
  };
  static uint64_t hash(uint64_t line) {
    line *= 0x9e3779b97f4a7c15ull;
    return line ^ (line >> 32);
  }
  size_t count;
  std::unique_ptr<Set[]> sets;
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_MODEL_CACHES_H
