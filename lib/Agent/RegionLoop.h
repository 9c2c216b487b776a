//===- RegionLoop.h - Attempts at one region --------------------*- C++ -*-===//
//
// Private. Store first, then attempts until something ends the search; the
// best is stored as soon as it is known.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_REGIONLOOP_H
#define KERNELCLAW_LIB_AGENT_REGIONLOOP_H

#include "Attempt.h"

namespace kclaw {

/// `label` starts the progress lines: "[2/7] 1f3a90bc".
Expected<RegionOutcome> optimizeRegion(Run &run, const RegionTask &task,
                                       const std::string &label);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_REGIONLOOP_H
