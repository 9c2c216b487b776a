//===- Counters.cpp - kclSimCounter, kclSimCounts -------------------------===//
//
// How a client reads what a launch did: names once, then values of any of the
// last launches, in the same order.
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <algorithm>

using namespace kclaw::sim;
using namespace kclaw::sim::api;

/// Of launch number `launch` (0: the last); null: not kept.
static const LaunchRecord *recordOf(const Driver &d, uint64_t launch) {
  launch = launch ? launch : d.launches;
  if (!launch || launch > d.launches || d.launches - launch >= d.records.size())
    return nullptr;
  return &d.records[launch % d.records.size()];
}

/// "name\tunit\tmeaning\tcounter of a real profile" of counter `index`. Null
/// behind the last.
extern "C" const char *kclSimCounter(size_t index) {
  static const std::vector<std::string> lines = [] {
    std::vector<std::string> all;
    for (const CounterRow &row : counterRows())
      all.push_back(std::string(row.name) + "\t" + row.unit + "\t" +
                    row.meaning + "\t" + row.real);
    return all;
  }();
  return index < lines.size() ? lines[index].c_str() : nullptr;
}

/// Kernel launches so far; the first is number 1.
extern "C" uint64_t kclSimLaunches() {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  return d.launches;
}

/// Values of launch number `launch` (0: the last) into values[0..capacity).
/// Returns how many counters there are; 0: that launch did not happen, or is
/// not kept any more (the last 64 are). Of a launch that ended with a fault all
/// counts are zero.
extern "C" size_t kclSimCounts(uint64_t launch, double *values,
                               size_t capacity) {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  const LaunchRecord *record = recordOf(d, launch);
  if (!record)
    return 0;
  auto rows = counterRows();
  for (size_t i = 0; values && i < std::min(capacity, rows.size()); ++i)
    values[i] = rows[i].value(*record);
  return rows.size();
}

/// Which resource bounds that launch's estimate: "memory", "issue", ...; null:
/// not kept.
extern "C" const char *kclSimBound(uint64_t launch) {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  const LaunchRecord *record = recordOf(d, launch);
  return record ? record->time.bound : nullptr;
}
