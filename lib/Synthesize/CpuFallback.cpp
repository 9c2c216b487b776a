//===- CpuFallback.cpp - The CPU lowering beside the device's -------------===//
//
// Renames the entries, lowers, and moves what is new into the module.
//
//===----------------------------------------------------------------------===//
#include "CpuFallback.h"

#include "kernelclaw/Lower/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

static void renameEntries(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      function.setSymName((function.getSymName() + "_cpu").str());
}

static bool isDeclaration(Operation *op) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  return function && function.isExternal();
}

/// Moves the ops of `from` into `into`. A declaration that `into` has is
/// dropped; any other clash of names gives the newcomer a new name.
static LogicalResult merge(ModuleOp from, ModuleOp into) {
  SymbolTable fromTable(from), intoTable(into);
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      continue;
    if (intoTable.lookup(symbol.getName())) {
      if (isDeclaration(&op)) {
        op.erase();
        continue;
      }
      if (failed(fromTable.renameToUnique(&op, {&intoTable})))
        return failure();
    }
  }
  into.getBody()->getOperations().splice(into.getBody()->end(),
                                         from.getBody()->getOperations());
  return success();
}

LogicalResult kclaw::addCpuFallback(ModuleOp module,
                                    OwningOpRef<ModuleOp> imported) {
  renameEntries(*imported);
  PassManager pm(module.getContext());
  // The caller's pass manager verifies the merged module; verifying after each
  // of these passes too is a third of their time.
  pm.enableVerifier(false);
  buildLowerPipeline(pm, TargetDevice::Cpu);
  if (failed(pm.run(*imported)))
    return failure();
  return merge(*imported, module);
}
