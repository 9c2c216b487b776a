//===- CpuFallback.cpp - The CPU lowering beside the device's -------------===//
//
// Renames the entries, lowers, and moves what is new into the module. The
// thread has a context of its own, whose uniquing needs no locks; the host's
// may be single-threaded (mlir-opt --mlir-disable-threading).
//
//===----------------------------------------------------------------------===//
#include "CpuFallback.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace kclaw;

/// Calls of an entry follow its name.
static LogicalResult renameEntries(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (function.isPublic() && !function.isDeclaration() &&
        failed(
            symbols.rename(function, (function.getSymName() + "_cpu").str())))
      return failure();
  return success();
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

LogicalResult kclaw::runUnverified(ModuleOp module, TargetDevice target) {
  PassManager pm(module.getContext());
#ifndef KCL_ENABLE_CHECKS
  pm.enableVerifier(false);
#endif
  buildLowerPipeline(pm, target);
  return pm.run(module);
}

/// The caller's pass manager verifies the merged module.
static LogicalResult lowerEntries(ModuleOp imported) {
  return failed(renameEntries(imported))
             ? failure()
             : runUnverified(imported, TargetDevice::Cpu);
}

/// From bytecode to bytecode; empty when anything was said or went wrong.
static std::string lowerBytecode(MLIRContext &context, StringRef bytecode) {
  bool silent = true;
  ScopedDiagnosticHandler handler(&context, [&silent](Diagnostic &) {
    silent = false;
    return success();
  });
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceString<ModuleOp>(bytecode, config);
  std::string lowered;
  llvm::raw_string_ostream stream(lowered);
  if (!module || failed(lowerEntries(*module)) ||
      failed(writeBytecodeToFile(*module, stream)) || !silent)
    return "";
  return lowered;
}

void CpuFallback::start(ModuleOp imported) {
  input.clear();
  llvm::raw_string_ostream stream(input);
  if (failed(writeBytecodeToFile(imported, stream)))
    return;
  MLIRContext &own = *imported.getContext();
  // Shared only because llvm::thread copies what it runs.
  auto context = std::make_shared<MLIRContext>(
      own.getDialectRegistry(), MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects(own.allowsUnregisteredDialects());
  worker.emplace([this, context] { output = lowerBytecode(*context, input); });
}

void CpuFallback::wait() {
  if (worker)
    worker->join();
  worker.reset();
}

CpuFallback::~CpuFallback() { wait(); }

LogicalResult CpuFallback::addTo(ModuleOp module,
                                 OwningOpRef<ModuleOp> imported) {
  wait();
  OwningOpRef<ModuleOp> lowered;
  if (!output.empty()) {
    ParserConfig config(module.getContext(), /*verifyAfterParse=*/false);
    lowered = parseSourceString<ModuleOp>(output, config);
  }
  fromThread = bool(lowered);
  if (!lowered) {
    if (failed(lowerEntries(*imported)))
      return failure();
    lowered = std::move(imported);
  }
  return merge(*lowered, module);
}
