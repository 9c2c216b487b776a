//===- SizeChoice.h - The smaller sizes of a region -------------*- C++ -*-===//
//
// Private to lib/Outline.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_SIZECHOICE_H
#define KERNELCLAW_LIB_OUTLINE_SIZECHOICE_H

#include "ShrinkableDims.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kclaw {

/// Elements of all arguments and results at these sizes.
using CountElements =
    llvm::function_ref<uint64_t(const ShrinkableDims::Sizes &)>;

/// What ReducedSizes.h says of reducedVariants; each complete.
std::vector<ShrinkableDims::Sizes>
chooseSizes(const ShrinkableDims &dims, uint64_t elements, CountElements count);

} // namespace kclaw

#endif // KERNELCLAW_LIB_OUTLINE_SIZECHOICE_H
