//===- Rules/StockErrors.h - Stock's error over the seeds -------*- C++ -*-===//
//
// Of every distribution the largest error that stock was seen with, one a
// result. A budget is at most twice that, if stock keeps its family's.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_RULES_STOCKERRORS_H
#define KERNELCLAW_LIB_DEVICE_RULES_STOCKERRORS_H

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace kclaw {

class StockErrors {
public:
  /// NaN stays: stock that cannot be compared is inaccurate.
  void add(const std::string &distribution, size_t result, double error) {
    auto [entry, fresh] =
        largest.emplace(std::pair(distribution, result), error);
    if (!fresh && !std::isnan(entry->second))
      entry->second =
          std::isnan(error) ? error : std::max(entry->second, error);
  }

  void forget(const std::string &distribution) {
    std::erase_if(largest, [&](const auto &entry) {
      return entry.first.first == distribution;
    });
  }

  /// 0 before any seed.
  double of(const std::string &distribution, size_t result) const {
    auto found = largest.find(std::pair(distribution, result));
    return found == largest.end() ? 0 : found->second;
  }

private:
  std::map<std::pair<std::string, size_t>, double> largest;
};

/// A result that misses its bound by no more than stock's allowance could add
/// is worth a look at further seeds: the bound is at most twice the family's.
inline bool isNearMiss(double error, double bound, double familyBudget) {
  return error > bound && error <= 2 * familyBudget;
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_RULES_STOCKERRORS_H
