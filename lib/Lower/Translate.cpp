//===- Translate.cpp - LLVM dialect to optimised LLVM IR ------------------===//
//
// Registers what translation needs on the module's own context, so that a host
// such as mlir-opt need not.
//
//===----------------------------------------------------------------------===//
#include "Translate.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;

namespace kclaw {

static std::string nativeFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &[name, on] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(name, on);
  return features.getString();
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(Location loc, Cpu cpu) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    emitError(loc, "no code generator for this machine: ") << error;
    return nullptr;
  }
  bool native = cpu == Cpu::Native;
  std::string name = native           ? llvm::sys::getHostCPUName().str()
                     : triple.isX86() ? "x86-64-v2"
                                      : "generic";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, name, native ? nativeFeatures() : "", llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

std::unique_ptr<llvm::Module> translateModule(ModuleOp module,
                                              llvm::LLVMContext &context,
                                              llvm::TargetMachine &machine) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context);
  if (!result)
    return nullptr;
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  optimize(*result, machine);
  return result;
}

} // namespace kclaw
