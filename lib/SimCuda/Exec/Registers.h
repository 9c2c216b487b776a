//===- Registers.h - Few columns for many registers -------------*- C++ -*-===//
//
// PTX declares a register for each value. Frames with a column for each would
// not stay in the first caches, so registers that never live at the same time
// share a column. Lanes never mix, so what holds for one thread's path through
// the code holds for diverged lanes as well.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_REGISTERS_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_REGISTERS_H

#include "Code.h"

namespace kclaw::sim {

/// What one instruction does with registers, by name.
struct RegisterUse {
  std::vector<std::string> reads, writes;
};

struct RegisterPlan {
  std::map<std::string, uint32_t> index;            ///< within the width class
  std::array<uint32_t, 5> counts = {1, 1, 1, 1, 1}; ///< 0 is the sink
};

/// `function` is decoded with labels marked; uses[i] belongs to code[i]. Two
/// registers of one instruction never share, so handlers may write a result
/// before they have read all operands.
RegisterPlan planRegisters(Function &function,
                           const std::vector<RegisterUse> &uses);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_REGISTERS_H
