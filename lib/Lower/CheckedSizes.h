//===- CheckedSizes.h - Sizes that do not wrap round ------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_LOWER_CHECKEDSIZES_H
#define KERNELCLAW_LIB_LOWER_CHECKEDSIZES_H

#include "mlir/IR/Builders.h"

namespace kclaw {

/// Replaces each of `sizes`, index values computed in the builder's block, by
/// one that is 2^63-1 (`kclCheckSizes` refuses it) where a product or a sum
/// that it depends on leaves 64 bits. Others stay what they are.
void checkSizes(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::MutableArrayRef<mlir::Value> sizes);

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_CHECKEDSIZES_H
