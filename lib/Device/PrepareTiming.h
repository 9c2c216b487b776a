//===- PrepareTiming.h - What preparing a plan costs ------------*- C++ -*-===//
//
// Prepare steps run once a weight version, so their time is no part of the
// plan's and is reported apart.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PREPARETIMING_H
#define KERNELCLAW_LIB_DEVICE_PREPARETIMING_H

#include "Workload.h"

namespace kclaw {

/// Of the candidate, L2 cold before each; empty when it has nothing to prepare.
Run<Timing> timePrepare(Workload &load);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PREPARETIMING_H
