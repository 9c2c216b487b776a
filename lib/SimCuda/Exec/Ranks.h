//===- Ranks.h - An order of basic blocks in which lanes meet ---*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_EXEC_RANKS_H
#define KERNELCLAW_LIB_SIMCUDA_EXEC_RANKS_H

#include "Code.h"

namespace kclaw::sim {

struct BasicBlock {
  uint32_t begin = 0, end = 0;
  std::vector<uint32_t> successors; ///< blocks, the latest in the text first
};

/// The basic blocks of decoded code, in text order. Sets Inst::startsBlock
/// behind branches; labels must be marked.
std::vector<BasicBlock> basicBlocks(Function &function);

/// Per instruction the rank of its basic block: a reverse post-order in which
/// the blocks of a loop come before the loop's exits, so the split of lowest
/// rank runs until it reaches the others.
std::vector<uint32_t> rankBlocks(Function &function);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_EXEC_RANKS_H
