//===- Emit.cpp - Objects, shared libraries, headers ----------------------===//
//
// MlirOptMain prints MLIR only; this is its core for the other kinds of output.
//
//===----------------------------------------------------------------------===//
#include "Emit.h"

#include "kernelclaw/Lower/Lower.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

std::string kclaw::headerBeside(const std::string &path) {
  StringRef name = llvm::sys::path::stem(path);
  if (llvm::sys::path::extension(path) == ".so")
    name.consume_front("lib");
  SmallString<128> header = llvm::sys::path::parent_path(path);
  llvm::sys::path::append(header, name + ".h");
  return header.str().str();
}

LogicalResult kclaw::emitBinary(std::unique_ptr<llvm::MemoryBuffer> input,
                                DialectRegistry &registry,
                                const MlirOptMainConfig &config, EmitKind kind,
                                const std::string &path,
                                const std::string &headerPath) {
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
  if (failed(kind == EmitKind::Object ? emitObject(*module, path)
                                      : emitSharedLibrary(*module, path)))
    return failure();
  return headerPath.empty() ? success() : emitHeader(*module, headerPath);
}
