//===- IndexSets.cpp - A set of small numbers, and what it looks like -----===//
#include "IndexSets.h"

#include <algorithm>

namespace kclaw {

std::vector<int64_t> IndexSet::values(size_t limit) const {
  std::vector<int64_t> list;
  for (size_t i = 0; i < member.size() && list.size() < limit; ++i)
    if (member[i])
      list.push_back(static_cast<int64_t>(i));
  return list;
}

std::string IndexSet::describe() const {
  std::vector<int64_t> all = values(member.size());
  if (all.empty())
    return "none";
  int64_t low = all.front(), high = all.back();
  if (size == 1)
    return std::to_string(low);
  if (high - low + 1 == size) {
    if (high + 1 == static_cast<int64_t>(member.size()) && low > 0)
      return std::to_string(low) + " and above";
    return std::to_string(low) + " to " + std::to_string(high);
  }
  int64_t step = all[1] - all[0];
  bool even = std::ranges::adjacent_find(all, [step](int64_t a, int64_t b) {
                return b - a != step;
              }) == all.end();
  if (even && size > 3)
    return "every " + std::to_string(step) + "-th from " + std::to_string(low) +
           " to " + std::to_string(high);
  std::string text;
  for (size_t i = 0; i < all.size() && i < 8; ++i)
    text += (i ? ", " : "") + std::to_string(all[i]);
  return all.size() > 8 ? text + ", ... (" + std::to_string(size) + " in all)"
                        : text;
}

} // namespace kclaw
