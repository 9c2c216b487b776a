//===- Call.h - Calls an entry with arrays ----------------------*- C++ -*-===//
//
// Places arguments, results and workspace, calls, and brings the results back.
// The entry itself checks counts, dtypes and shapes; what it says is the error.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_RUN_CALL_H
#define KERNELCLAW_TOOLS_RUN_CALL_H

#include "Arrays.h"
#include "DeviceBuffers.h"
#include "Module.h"

namespace kclaw {

struct CallOutcome {
  std::vector<Array> results;
  uint64_t regionsWon = 0;
  uint64_t regionsStock = 0;
  uint64_t workspaceBytes = 0;
  std::vector<double> milliseconds; ///< of each repeated call
};

/// Runs once, then `repeat` times with timing.
Expected<CallOutcome> callEntry(const EntryFunctions &entry,
                                DeviceBuffers &buffers,
                                const std::vector<Array> &arguments,
                                int repeat);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_CALL_H
