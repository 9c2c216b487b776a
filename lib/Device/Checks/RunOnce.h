//===- RunOnce.h - The candidate, once, on drawn data -----------*- C++ -*-===//
//
// For tools that look at how a kernel runs. Each argument, result and workspace
// is an allocation of its own and of exactly its size, results and workspaces
// are never written before: so a tool sees the first byte outside and each
// read of what nothing wrote. Nothing is compared.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_CHECKS_RUNONCE_H
#define KERNELCLAW_LIB_DEVICE_CHECKS_RUNONCE_H

#include "DeviceSession.h"
#include "Problem.h"
#include "kernelclaw/Plan/Job.h"

namespace kclaw {

/// The simulator's checks are on. A fault is the failure, as in a judgement.
Run<void> runOnce(const Job &job, DeviceSession &session,
                  const Problem &problem,
                  const std::vector<ModuleImage> &images, double seconds);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_CHECKS_RUNONCE_H
