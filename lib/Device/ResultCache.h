//===- ResultCache.h - What stock and reference computed before -*- C++ -*-===//
//
// A reference takes longer than most candidates, and every candidate of a
// region is judged on the same pool of secret draws. Results lie on the device
// in hidden memory, by a key that names plan, region, sizes and draw; the
// oldest leave when `capacityBytes` is reached or a workload needs the room.
// One thread; as long as the worker's child lives.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RESULTCACHE_H
#define KERNELCLAW_LIB_DEVICE_RESULTCACHE_H

#include "HiddenMemory.h"

#include <deque>
#include <map>

namespace kclaw {

class ResultCache {
public:
  /// The results of one run, one address a result; hidden but while copied.
  struct Entry {
    HiddenMemory memory;
    std::vector<CUdeviceptr> results;
  };

  /// 0: keeps nothing.
  void setCapacity(uint64_t bytes) { capacityBytes = bytes; }
  uint64_t capacity() const { return capacityBytes; }

  /// Null when it is not there; valid until the next `put` or `makeRoom`.
  Entry *find(const std::string &key) {
    auto found = entries.find(key);
    return found == entries.end() ? nullptr : &found->second;
  }
  /// Whether `bytes` may be kept, for which older ones leave.
  bool reserve(uint64_t bytes) {
    if (bytes > capacityBytes)
      return false;
    while (usedBytes + bytes > capacityBytes)
      dropOldest();
    return true;
  }
  Entry &put(const std::string &key, Entry entry) {
    usedBytes += entry.memory.bytes();
    order.push_back(key);
    return entries.emplace(key, std::move(entry)).first->second;
  }
  /// Frees the oldest; false when there is none.
  bool dropOldest() {
    if (order.empty())
      return false;
    auto oldest = entries.find(order.front());
    usedBytes -= oldest->second.memory.bytes();
    entries.erase(oldest);
    order.pop_front();
    return true;
  }
  uint64_t bytes() const { return usedBytes; }
  size_t size() const { return entries.size(); }

private:
  uint64_t capacityBytes = 0;
  uint64_t usedBytes = 0;
  std::map<std::string, Entry> entries;
  std::deque<std::string> order;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RESULTCACHE_H
