//===- Entries.h - The entries of a module ----------------------*- C++ -*-===//
//
// Which functions kclaw-lower makes entries of (Lower.h).
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_LOWER_ENTRIES_H
#define KERNELCLAW_LIB_LOWER_ENTRIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

/// Public functions with a body, in order. A list of its own: the module may
/// change under it.
inline llvm::SmallVector<mlir::func::FuncOp> entriesOf(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::func::FuncOp> entries;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (!function.isPrivate() && !function.isDeclaration())
      entries.push_back(function);
  return entries;
}

} // namespace kclaw

#endif // KERNELCLAW_LIB_LOWER_ENTRIES_H
