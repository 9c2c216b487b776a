//===- Accumulators.h - Accumulators of wgmma before the wait ---*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_CHECK_ACCUMULATORS_H
#define KERNELCLAW_LIB_SIMCUDA_CHECK_ACCUMULATORS_H

#include "../Exec/Code.h"
#include "../Exec/Registers.h"

namespace kclaw::sim {

/// Puts a check in front of the instructions that read or write an accumulator
/// of wgmma.mma_async: between it and the wgmma.wait_group that covers it that
/// is a missing wait. `function` is decoded; uses[i] belongs to code[i]. Plain
/// moves are let through: compilers put them around inline assembly.
void guardAccumulators(Function &function,
                       const std::vector<RegisterUse> &uses);

/// A warp's operations that no wait has covered.
struct AccumulatorsInFlight {
  struct Operation {
    const Function *function;
    const AccumulatorUse *use;
    uint32_t group;
  };
  std::vector<Operation> operations;
  uint32_t committed = 0; ///< groups so far
};

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_CHECK_ACCUMULATORS_H
