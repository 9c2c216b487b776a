//===- Reduce.h - Reductions of asynchronous copies -------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_REDUCE_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_REDUCE_H

#include "../Exec/Builder.h"

namespace kclaw::sim {

/// memory[k] = op(memory[k], operand[k]) for `bytes` bytes of elements.
using Reduction = void (*)(std::byte *memory, const std::byte *operand,
                           uint64_t bytes);

/// By ".add", ".min", ... and the element's type; null: no such operation.
Reduction findReduction(std::string_view operation, Type type);

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_REDUCE_H
