//===- Summary.h - What a run cost, and what came of it ---------*- C++ -*-===//
//
// Private. summary.json (docs/schema/summary.schema.json): cost, tokens, time
// and energy of all processes that worked on a run, in total and by role,
// region and attempt, counted from events.jsonl.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_SUMMARY_H
#define KERNELCLAW_LIB_AGENT_SUMMARY_H

#include "EventLog.h"
#include "RegionOrder.h"

namespace kclaw {

/// `outcomes` by task; empty while the run is not over.
json::Json summarise(const std::vector<RegionTask> &tasks,
                     const std::vector<RegionOutcome> &outcomes,
                     const std::vector<RegionWeight> &weights,
                     const Budget &budget,
                     const std::vector<json::Json> &events);

/// "won", "kept", "budget" (kept, as a cap ended the search), "degraded" (kept,
/// as something failed) or "parked".
const char *verdict(const RegionOutcome &outcome);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_SUMMARY_H
