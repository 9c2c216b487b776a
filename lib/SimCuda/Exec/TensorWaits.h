//===- TensorWaits.h - Results of wgmma read before their wait --*- C++ -*-===//
//
// wgmma.mma_async writes its registers some time before the wgmma.wait_group
// that waits for its group. Here they are written at once, so a read that comes
// too early gives the right value and would go unseen.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_TENSORWAITS_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_TENSORWAITS_H

#include "Code.h"
#include "Registers.h"

namespace kclaw::sim {

/// Instructions that read a result which no path to them has waited for. Those
/// for which one path has are left out: no report without a mistake. mov only
/// hands the register on, as compilers do between two wgmma. uses[i] belongs
/// to code[i].
std::vector<uint32_t> earlyReads(Function &function,
                                 const std::vector<RegisterUse> &uses);

/// Makes the instructions report when they run with checks on.
void reportEarlyReads(Function &function, const std::vector<uint32_t> &reads);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_TENSORWAITS_H
