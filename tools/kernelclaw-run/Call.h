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

#include <optional>

namespace kclaw {

struct CallOptions {
  int repeat = 0;     ///< timed calls after the first
  bool graph = false; ///< capture a call too, and time its launches
};

struct GraphOutcome {
  bool same = true; ///< results equal those of the direct call bit by bit
  std::vector<double> milliseconds; ///< of each repeated launch
};

struct CallOutcome {
  std::vector<Array> results;
  uint64_t regionsWon = 0;
  uint64_t regionsStock = 0;
  uint64_t workspaceBytes = 0;
  uint64_t persistentBytes = 0;     ///< of prepared buffers
  std::vector<double> milliseconds; ///< of each repeated call
  std::optional<GraphOutcome> graph;
};

/// Loads, prepares, runs once, then `repeat` times with timing; with `graph`
/// the same as a CUDA graph, whose results are then those of the outcome.
Expected<CallOutcome> callEntry(const EntryFunctions &entry,
                                DeviceBuffers &buffers,
                                const std::vector<Array> &arguments,
                                const CallOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_RUN_CALL_H
