//===- Emit.cpp - Objects and shared libraries ----------------------------===//
//
// MlirOptMain prints MLIR only; this is its core for the other kinds of output.
//
//===----------------------------------------------------------------------===//
#include "Emit.h"

#include "kernelclaw/Lower/Lower.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

LogicalResult kclaw::emitBinary(std::unique_ptr<llvm::MemoryBuffer> input,
                                DialectRegistry &registry,
                                const MlirOptMainConfig &config, EmitKind kind,
                                const std::string &path) {
  MLIRContext context(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  PassManager passes(&context, ModuleOp::getOperationName());
  if (failed(applyPassManagerCLOptions(passes)) ||
      failed(config.setupPassPipeline(passes)) || failed(passes.run(*module)))
    return failure();
  return kind == EmitKind::Object ? emitObject(*module, path)
                                  : emitSharedLibrary(*module, path);
}
