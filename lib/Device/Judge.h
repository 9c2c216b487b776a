//===- Judge.h - A job in, an Evaluation out --------------------*- C++ -*-===//
//
// The whole judgement in this process, which the worker's child runs: compile,
// instantiate, check, time. `progress` hears what is being done, so that the
// parent can say what hung or crashed.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_JUDGE_H
#define KERNELCLAW_LIB_DEVICE_JUDGE_H

#include "DeviceSession.h"
#include "kernelclaw/Plan/Job.h"

#include <functional>

namespace kclaw {

struct Judgement {
  Evaluation evaluation;
  bool contextLost = false; ///< this process must not judge again
};

using Progress = std::function<void(const std::string &)>;

/// `session` may be null for Job::Kind::Compile.
Judgement judge(const Job &job, DeviceSession *session,
                const std::string &workerPath, const Progress &progress);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_JUDGE_H
