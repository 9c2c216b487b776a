//===- Search.h - All regions of a run --------------------------*- C++ -*-===//
//
// Private. An attempt at a time, at the region that it is expected to bring
// most for what it costs (Prospect.h), several regions at once. While tokens
// or dollars are capped this goes by rounds (Rounds.h), so that the end is the
// same however the calls were timed.
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
