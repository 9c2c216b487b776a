//===- DeviceMemory.cpp ---------------------------------------------------===//
#include "DeviceMemory.h"

#include <algorithm>
#include <bit>
#include <sys/mman.h>

namespace kclaw::sim {

constexpr uint64_t gap = 4096; ///< untouched bytes after each allocation

static uint64_t pages(uint64_t count) {
  return (std::max<uint64_t>(count, 1) + 4095) / 4096 * 4096;
}

Allocation::~Allocation() {
  if (raceShadow && releaseShadow)
    releaseShadow(raceShadow);
}

/// Runs f(word index, mask) over the bits [offset, offset + count).
template <class F>
static void eachWord(uint64_t offset, uint64_t count, F &&f) {
  while (count > 0) {
    unsigned first = offset & 63;
    uint64_t here = std::min<uint64_t>(64 - first, count);
    uint64_t mask = (here == 64 ? ~uint64_t(0) : (uint64_t(1) << here) - 1)
                    << first;
    if (!f(offset >> 6, mask))
      return;
    offset += here;
    count -= here;
  }
}

void Allocation::markWritten(uint64_t offset, uint64_t count) {
  if (!written)
    return;
  eachWord(offset, count, [&](uint64_t word, uint64_t mask) {
    // Two blocks may write bytes of one word.
    std::atomic_ref<uint64_t> bits(written[word]);
    if ((bits.load(std::memory_order_relaxed) & mask) != mask)
      bits.fetch_or(mask, std::memory_order_relaxed);
    return true;
  });
}

void Allocation::markUnwritten(uint64_t offset, uint64_t count) {
  if (!written)
    return;
  eachWord(offset, count, [&](uint64_t word, uint64_t mask) {
    written[word] &= ~mask;
    return true;
  });
}

int64_t Allocation::firstUnwritten(uint64_t offset, uint64_t count) const {
  int64_t found = -1;
  if (!written)
    return found;
  eachWord(offset, count, [&](uint64_t word, uint64_t mask) {
    uint64_t bits = std::atomic_ref<uint64_t>(written[word])
                        .load(std::memory_order_relaxed);
    uint64_t missing = mask & ~bits;
    if (missing)
      found = int64_t(word * 64) + std::countr_zero(missing);
    return missing == 0;
  });
  return found;
}

DeviceMemory::~DeviceMemory() {
  while (!allocations.empty())
    release(allocations.begin()->first);
}

uintptr_t DeviceMemory::allocate(uint64_t bytes, bool readOnly) {
  if (bytes > capacity - usedBytes)
    return 0;
  void *memory = mmap(nullptr, pages(bytes) + gap, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return 0;
  auto allocation = std::make_unique<Allocation>();
  allocation->base = reinterpret_cast<uintptr_t>(memory);
  allocation->bytes = bytes;
  allocation->reach = (bytes + granularity - 1) / granularity * granularity;
  allocation->readOnly = readOnly;
  if (!readOnly)
    allocation->written =
        std::make_unique<uint64_t[]>((allocation->reach + 63) / 64);
  usedBytes += bytes;
  uintptr_t base = allocation->base;
  allocations[base] = std::move(allocation);
  return base;
}

bool DeviceMemory::release(uintptr_t base) {
  auto found = allocations.find(base);
  if (found == allocations.end())
    return false;
  if (found->second->ownsPages) {
    usedBytes -= found->second->bytes;
    munmap(reinterpret_cast<void *>(base), pages(found->second->bytes) + gap);
  }
  allocations.erase(found);
  return true;
}

void DeviceMemory::adopt(uintptr_t base, uint64_t bytes) {
  auto allocation = std::make_unique<Allocation>();
  allocation->base = base;
  allocation->bytes = allocation->reach = bytes;
  allocation->ownsPages = false;
  allocations[base] = std::move(allocation);
}

Allocation *DeviceMemory::find(uintptr_t address) {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin())
    return nullptr;
  Allocation *allocation = std::prev(next)->second.get();
  return allocation->reaches(address, 1) ? allocation : nullptr;
}

} // namespace kclaw::sim
