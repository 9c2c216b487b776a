//===- Worker.h - The process that holds the context ------------*- C++ -*-===//
//
// One line in, one line out. A line "# ..." tells what is being done; the first
// line is "# ready". After a fault or a hang the result is written and the
// process ends with `contextLostExit`, since nothing revives a context.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_DEVICE_WORKER_H
#define KERNELCLAW_DEVICE_WORKER_H

#include "kernelclaw/Support/Error.h"

#include <string>

namespace kclaw {

constexpr int contextLostExit = 86;
/// Said right before such a result: "# context lost".
constexpr const char *contextLostPhase = "context lost";
/// Begins what is said while another process judges on the same device.
constexpr const char *deviceWaitPhase = "waiting for the device";

/// Rules of evaluations that are no verdict on the job: nothing can judge here;
/// the device is in other hands; the device went away under the job.
constexpr const char *unavailableRule = "unavailable";
constexpr const char *deviceBusyRule = "device-busy";
constexpr const char *deviceLostRule = "device-lost";

/// Invalid, with what is accepted, unless it is cuda, sim, auto, none or one of
/// several, such as cuda:1. For what people say: a worker's child also knows
/// sim:1.
Expected<void> checkDevice(const std::string &device);

/// An evaluation for a line that is not a job: Rejected/"job" with the id when
/// it can be read.
std::string malformedJobResult(const std::string &line,
                               const std::string &reason);

/// The child: jobs from standard input until its end. `device` is one of
/// DriverChoice.h, or none; "cuda:1" is the second device that can be seen.
int runWorkerChild(const std::string &device, const std::string &workerPath);

/// Which workers judge: see EvaluatorOptions for device, launcher and workers.
struct WorkerOptions {
  std::string device = "cuda"; ///< also none
  std::string workerPath;
  std::string launcher;
  int workers = 1;
  bool verbose = false;
};

/// What the tool does: judges each line of standard input through children that
/// are restarted when they are lost; answers in the order of the lines. Exit
/// code.
int runWorker(const WorkerOptions &options);
/// The same for DIR/jobs/job-*.json; answers go to DIR/results/result-*.json,
/// written aside and renamed. Jobs that have an answer, or that another worker
/// is judging (JobClaims.h), are skipped. Without a usable device nothing is
/// answered: the jobs stay, exit code 1.
int runMailbox(const std::string &directory, const WorkerOptions &options);

/// The f64 reference of each job of standard input, alone: what it takes and
/// the device memory it needs. One line of JSON a job; ends after a fault with
/// `contextLostExit`. Exit code.
int timeReferences(const std::string &device, const std::string &workerPath);

/// Facts of device, driver and NVRTC as JSON, with reasons for what is absent.
struct ProbeReport {
  std::string json;
  std::string deviceError; ///< empty: the device can be used
};
/// `device` as above; none: of cuda.
ProbeReport probe(const std::string &device);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_WORKER_H
