//===- TaskFiles.h - Jobs from what lies on disk ----------------*- C++ -*-===//
//
// A run directory keeps a region's task and each attempt's plan as plain files
// (docs/run-directory.md). Errors name the file and what to try.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_TASKFILES_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_TASKFILES_H

#include "kernelclaw/Plan/Job.h"

namespace kclaw {

struct TaskFiles {
  /// A job file; a folder with spec.json, stock.json and reference.json; or
  /// such a spec.json, with the others beside it unless named here.
  std::string spec;
  std::string stock, reference; ///< plans as .json, or .cu with claw lines
};
/// A job without candidate.
Expected<Job> readTask(const TaskFiles &files);

/// `text` is RUN/REGION/ATTEMPT: REGION a spec hash, the beginning of one or
/// the region's symbol; ATTEMPT a number, "attempt-3", "first" or "last". Or
/// the folder of an attempt. Or a job file.
Expected<Job> readAttempt(const std::string &text);

/// A plan from a .json file, or from a .cu by its claw lines.
Expected<Plan> readPlanFile(const std::string &path, const KernelSpec &spec);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_TASKFILES_H
