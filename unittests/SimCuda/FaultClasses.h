//===- FaultClasses.h - A kernel for each class of fault --------*- C++ -*-===//
//
// CUDA source of kernel `k(const int *in, int *out)`: 4096 ints each, `in`
// counts from 0, nothing has written `out`. The line with `// HERE` has the
// fault; with `hole` replaced by `mend` there is none. The table of
// docs/SimulatedDriver.md is made of these rows.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SIMCUDA_FAULTCLASSES_H
#define KERNELCLAW_UNITTESTS_SIMCUDA_FAULTCLASSES_H

#include "SimCuda/Exec/Block.h"
#include "SimCuda/Exec/Fault.h"

#include <span>

namespace kclaw::sim {

struct FaultClass {
  const char *name;  ///< of the test
  const char *title; ///< "out of bounds, global memory (per allocation)"
  FaultKind kind;
  const char *source, *hole, *mend;
  Dim3 block = {64}, grid = {1}, cluster = {1};
  /// Whether the report has an address: a barrier has none.
  bool hasAddress = true;
};

std::span<const FaultClass> faultClasses();

} // namespace kclaw::sim

#endif // KERNELCLAW_UNITTESTS_SIMCUDA_FAULTCLASSES_H
