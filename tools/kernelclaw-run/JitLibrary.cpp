//===- JitLibrary.cpp - libkernelclaw_jit.so ------------------------------===//
//
// From a file to machine code: Torch dialect, linalg on tensors, claw steps or
// the LLVM dialect that kernelclaw-opt leaves.
//
//===----------------------------------------------------------------------===//
#include "JitApi.h"

#include "kernelclaw/Lower/Jit.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Support/Error.h"
#include "kernelclaw/Torch/Nesting.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdio>

using namespace mlir;
using namespace kclaw;

struct kcl_jit {
  std::unique_ptr<JitModule> code;
  std::string entry;
};

static DialectRegistry &registry() {
  static DialectRegistry *all = [] {
    auto *made = new DialectRegistry;
    registerLowerDialects(*made);
    made->insert<DLTIDialect, kclaw::torch::TorchDialect,
                 kclaw::torch_c::TorchCDialect>();
    return made;
  }();
  return *all;
}

/// Brings a module that is not yet in LLVM dialect there.
static LogicalResult lower(ModuleOp module, TargetDevice device) {
  if (module.getOps<func::FuncOp>().empty())
    return success();
  PassManager passes(module.getContext());
  buildLowerPipeline(passes, device);
  return passes.run(module);
}

/// Whether an entry is still on tensors, so that no kernels were made of it.
static bool hasTensors(ModuleOp module) {
  auto isTensor = [](Type type) {
    return isa<TensorType>(type) || kclaw::torch::tensorShape(type);
  };
  return llvm::any_of(module.getOps<func::FuncOp>(), [&](func::FuncOp entry) {
    return !entry.isPrivate() &&
           (llvm::any_of(entry.getArgumentTypes(), isTensor) ||
            llvm::any_of(entry.getResultTypes(), isTensor));
  });
}

static std::string firstEntry(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getSymName();
    if (name.consume_back("_describe") && module.lookupSymbol(name))
      return name.str();
  }
  return {};
}

static Expected<std::unique_ptr<kcl_jit>> compile(const char *path,
                                                  StringRef device) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
  if (!file)
    return makeError(Error::Code::Io, error);
  if (failed(kclaw::torch::checkNesting(*file)))
    return makeError(Error::Code::Invalid,
                     std::string(path) + " does not parse");
  MLIRContext context(registry());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return makeError(Error::Code::Invalid,
                     std::string(path) + " does not parse");
  if (device == "cuda" && hasTensors(*module))
    return makeError(Error::Code::Invalid,
                     std::string(path) +
                         " has no device code yet; make it with "
                         "kernelclaw-opt --llm-optimize");
  if (failed(lower(*module,
                   device == "cuda" ? TargetDevice::Cuda : TargetDevice::Cpu)))
    return makeError(Error::Code::Invalid, std::string(path) +
                                               " could not be lowered for " +
                                               device.str());
  std::string entry = firstEntry(*module);
  if (entry.empty())
    return makeError(Error::Code::Invalid,
                     std::string(path) + " has no entry function");
  FailureOr<std::unique_ptr<JitModule>> code = JitModule::compile(*module);
  if (failed(code))
    return makeError(Error::Code::Invalid,
                     std::string(path) + " could not be compiled");
  return std::make_unique<kcl_jit>(kcl_jit{std::move(*code), entry});
}

kcl_jit *kclJitCompile(const char *path, const char *device, char *error,
                       size_t errorBytes) {
  Expected<std::unique_ptr<kcl_jit>> jit = compile(path, device);
  if (jit)
    return jit->release();
  std::snprintf(error, errorBytes, "%s", jit.error().message.c_str());
  return nullptr;
}

void *kclJitSymbol(kcl_jit *jit, const char *name) {
  return jit->code->lookup(name);
}

const char *kclJitEntry(kcl_jit *jit) { return jit->entry.c_str(); }

void kclJitFree(kcl_jit *jit) { delete jit; }
