//===- RequirementText.h - Arguments in the texts of requirements ---------===//
//
// Used by kclaw-size-checks alone.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_REQUIREMENTTEXT_H
#define KERNELCLAW_LOWER_REQUIREMENTTEXT_H

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

/// "argument 1 'x'"
std::string argumentText(mlir::func::FuncOp entry, unsigned index);
/// "dimension 0 of argument 1 'x'"
std::string dimensionText(mlir::func::FuncOp entry, unsigned index,
                          int64_t dim);

/// "{0}" becomes "{0} (dimension 1 of argument 0)". `parameters` are the texts
/// of the arguments of the function that holds `op`.
void nameSizes(claw::RequireOp op, llvm::ArrayRef<std::string> parameters);

/// The same where `op` stands in its entry: names the argument that an element
/// was read from, and sizes as they came.
void nameData(claw::RequireOp op, mlir::func::FuncOp entry);

} // namespace kclaw

#endif // KERNELCLAW_LOWER_REQUIREMENTTEXT_H
