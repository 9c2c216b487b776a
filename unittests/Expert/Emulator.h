//===- Emulator.h - Runs a plan's kernels on the CPU ------------*- C++ -*-===//
//
// Compiles each CUDA module of a plan as host code (emulation/) with the
// compiler that built the tests, loads it, and runs the steps on buffers in
// memory. Results lie between guard bytes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_EXPERT_EMULATOR_H
#define KERNELCLAW_UNITTESTS_EXPERT_EMULATOR_H

#include "kernelclaw/Plan/Plan.h"
#include "kernelclaw/Spec/KernelSpec.h"

#include <string>
#include <vector>

namespace kclaw::test {

using Bytes = std::vector<uint8_t>;

/// Elements as doubles; rounded to the dtype on the way in.
Bytes encode(const std::vector<double> &values, DType type);
std::vector<double> decode(const Bytes &bytes, DType type);

struct EmulationResult {
  std::string error; ///< empty: all right
  std::vector<std::vector<double>> results;
};

EmulationResult emulate(const Plan &plan, const KernelSpec &spec,
                        const std::vector<std::vector<double>> &arguments);

} // namespace kclaw::test

#endif // KERNELCLAW_UNITTESTS_EXPERT_EMULATOR_H
