//===- ResultCache.h - What stock and reference computed before -*- C++ -*-===//
//
// On the simulator a reference takes longer than most candidates, and every
// candidate of a region is judged on the same draws. Results lie in host
// memory, by a key that names plan, region, sizes and draw; the oldest leave
// when `capacity` is reached. One thread; as long as the worker's child lives.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RESULTCACHE_H
#define KERNELCLAW_LIB_DEVICE_RESULTCACHE_H

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace kclaw {

class ResultCache {
public:
  using Results = std::vector<std::vector<std::byte>>; ///< one a result

  explicit ResultCache(uint64_t capacity = uint64_t{1} << 30)
      : capacity(capacity) {}

  /// Null when it is not there; valid until the next `put`.
  const Results *find(const std::string &key) const {
    auto found = entries.find(key);
    return found == entries.end() ? nullptr : &found->second;
  }

  void put(const std::string &key, Results results) {
    if (entries.contains(key))
      return;
    used += bytesOf(results);
    entries.emplace(key, std::move(results));
    order.push_back(key);
    while (used > capacity && !order.empty()) {
      auto oldest = entries.find(order.front());
      used -= bytesOf(oldest->second);
      entries.erase(oldest);
      order.pop_front();
    }
  }

private:
  static uint64_t bytesOf(const Results &results) {
    uint64_t bytes = 0;
    for (const std::vector<std::byte> &result : results)
      bytes += result.size();
    return bytes;
  }

  uint64_t capacity;
  uint64_t used = 0;
  std::map<std::string, Results> entries;
  std::deque<std::string> order;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RESULTCACHE_H
