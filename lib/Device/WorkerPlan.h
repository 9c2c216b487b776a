//===- WorkerPlan.h - Which workers a run starts ----------------*- C++ -*-===//
//
// From device, launcher and the number asked for to one command a worker.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_WORKERPLAN_H
#define KERNELCLAW_LIB_DEVICE_WORKERPLAN_H

#include "WorkerProcess.h"
#include "kernelclaw/Device/Worker.h"

namespace kclaw {

struct WorkerPlan {
  std::vector<WorkerCommand> commands;
  bool simulated = false; ///< behind a launcher: as far as the device says so
};

/// `workers` 0 means one for each device of the first one's model that can be
/// seen; on the simulator, with device none and behind a launcher one. Invalid
/// when more are asked for than there are devices; Unavailable without a
/// driver (device cuda) or launcher. Starts nothing.
Expected<WorkerPlan> planWorkers(const WorkerOptions &options);

/// One worker a command, named "worker 0", ... where there are several.
std::vector<WorkerProcess> makeWorkers(const WorkerPlan &plan, bool verbose);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_WORKERPLAN_H
