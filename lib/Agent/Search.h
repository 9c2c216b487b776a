//===- Search.h - All regions of a run --------------------------*- C++ -*-===//
//
// Private. Works on every different region, the heaviest first, several at a
// time. While there is a cap on tokens or dollars each region may use its part
// of it; then what is left goes to regions that had too little, one after the
// other, so that the end is the same however the calls were timed.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_SEARCH_H
#define KERNELCLAW_LIB_AGENT_SEARCH_H

#include "RegionLoop.h"
#include "RegionOrder.h"

namespace kclaw {

/// Times of stock that winners in the store were measured beside.
StockTimes storedStock(Store *store, Evidence evidence,
                       const AgentOptions &options,
                       const std::vector<RegionTask> &tasks);

/// The order at the run's first start, by what the store knew of stock's times
/// then: a resumed run keeps to it.
Expected<std::vector<RegionWeight>>
orderOnRecord(Run &run, const std::vector<RegionTask> &tasks);
/// The same with the times that the run itself has measured since.
std::vector<RegionWeight> orderNow(const Run &run,
                                   const std::vector<RegionTask> &tasks);

/// One outcome per task.
Expected<std::vector<RegionOutcome>>
searchRegions(Run &run, const std::vector<RegionTask> &tasks,
              const std::vector<RegionWeight> &weights);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_SEARCH_H
