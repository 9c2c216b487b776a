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

/// An evaluation for a line that is not a job: Rejected/"job" with the id when
/// it can be read.
std::string malformedJobResult(const std::string &line,
                               const std::string &reason);

/// The child: jobs from standard input until its end. `device` is one of
/// DriverChoice.h, or none.
int runWorkerChild(const std::string &device, const std::string &workerPath);

/// What the tool does: judges each line of standard input through a child that
/// is restarted when it is lost. `device` as above. Exit code.
int runWorker(const std::string &device, const std::string &workerPath,
              bool verbose);
/// The same for DIR/jobs/job-*.json; answers go to DIR/results/result-*.json,
/// written aside and renamed. Jobs that have an answer are skipped. Without a
/// usable device nothing is answered: the jobs stay, exit code 1.
int runMailbox(const std::string &directory, const std::string &device,
               const std::string &workerPath, bool verbose);

/// Facts of device, driver and NVRTC as JSON, with reasons for what is absent.
struct ProbeReport {
  std::string json;
  std::string deviceError; ///< empty: the device can be used
};
/// `device` as above; none: of cuda.
ProbeReport probe(const std::string &device);

} // namespace kclaw

#endif // KERNELCLAW_DEVICE_WORKER_H
