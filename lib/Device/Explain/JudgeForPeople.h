//===- JudgeForPeople.h - One job judged and reported -----------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_JUDGEFORPEOPLE_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_JUDGEFORPEOPLE_H

#include "Report.h"
#include "WorkerProcess.h"
#include "kernelclaw/Device/Explain.h"

namespace kclaw {

/// Judges through `worker`, prints the report, writes what the options want.
/// One of JudgeExit.
int judgeForPeople(Job job, WorkerProcess &worker, const JudgeOptions &options,
                   const ReportOptions &report);

/// A child of the tool that opens the device of the options.
WorkerProcess makeJudge(const JudgeOptions &options);

/// "kernelclaw-worker: error: ..." and JudgeExit::BadInput, or NoDevice for
/// what is unavailable.
int reportError(const Error &error);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_JUDGEFORPEOPLE_H
