//===- DeviceHeap.cpp -----------------------------------------------------===//
#include "DeviceHeap.h"
#include "DeviceMemory.h"

#include <algorithm>

namespace kclaw::sim {

void DeviceHeap::prepare() {
  if (!base)
    base = memory.allocate(bytes);
}

uintptr_t DeviceHeap::allocate(uint64_t count) {
  std::lock_guard lock(mutex);
  if (!base || count > bytes)
    return 0;
  uint64_t size = std::max<uint64_t>(16, (count + 15) / 16 * 16);
  uintptr_t at = base; // first fit
  for (const auto &[start, length] : used) {
    if (start - at >= size)
      break;
    at = start + length;
  }
  if (at + size > base + bytes)
    return 0;
  used[at] = size;
  return at;
}

bool DeviceHeap::release(uintptr_t address) {
  std::lock_guard lock(mutex);
  return used.erase(address) > 0;
}

} // namespace kclaw::sim
