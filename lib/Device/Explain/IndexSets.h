//===- IndexSets.h - A set of small numbers, and what it looks like -------===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_INDEXSETS_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_INDEXSETS_H

#include <cstdint>
#include <string>
#include <vector>

namespace kclaw {

class IndexSet {
public:
  explicit IndexSet(int64_t size) : member(static_cast<size_t>(size)) {}
  /// `value` in [0, size).
  void insert(int64_t value) {
    size += !member[static_cast<size_t>(value)];
    member[static_cast<size_t>(value)] = true;
  }
  int64_t count() const { return size; }
  int64_t first() const { return values(1).front(); }
  /// "7", "3 to 9", "1020 and above", "every 4-th from 2", "1, 5, 6, ...".
  std::string describe() const;

private:
  /// At most `limit` of them.
  std::vector<int64_t> values(size_t limit) const;

  std::vector<bool> member;
  int64_t size = 0;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_INDEXSETS_H
