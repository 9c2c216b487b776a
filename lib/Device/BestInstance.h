//===- BestInstance.h - The fastest choice of tunables, judged --*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_BESTINSTANCE_H
#define KERNELCLAW_LIB_DEVICE_BESTINSTANCE_H

#include "Judge.h"
#include "RunFailure.h"

#include <functional>

namespace kclaw {

/// Sweeps the tunables and judges the fastest instance; where its results are
/// wrong, the next, three at most. The caller holds the device's lock, and
/// `judgeInstance` fills `evaluation`.
Run<void>
judgeBestInstance(const Job &job, DeviceSession &session,
                  const std::string &workerPath, const Progress &progress,
                  const std::function<Run<void>(const Job &)> &judgeInstance,
                  Evaluation &evaluation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_BESTINSTANCE_H
