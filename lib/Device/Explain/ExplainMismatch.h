//===- ExplainMismatch.h - Looking at a wrong result ------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_DEVICE_EXPLAIN_EXPLAINMISMATCH_H
#define KERNELCLAW_LIB_DEVICE_EXPLAIN_EXPLAINMISMATCH_H

#include "Workload.h"

namespace kclaw {

/// Compares `got` with the reference's result element by element on the host,
/// and fills all of `explanation` but the data's description. Reference and
/// stock hold their results of the same data; row scales are computed. Elements
/// that hold `poisonByte` still were never written.
Run<void> explainMismatch(Workload &load, size_t result, CUdeviceptr got,
                          double bound, uint8_t poisonByte,
                          Explanation &explanation);

/// Distribution, level and number of the draw in use.
void describeData(const Draw &draw, uint64_t seed, Explanation &explanation);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_EXPLAIN_EXPLAINMISMATCH_H
