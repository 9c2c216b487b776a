//===- Jit.cpp - Runs a lowered module in this process --------------------===//
//
// LLJIT with this process as the only other source of symbols.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/Jit.h"

#include "Translate.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace mlir;

namespace kclaw {

struct JitModule::State {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

JitModule::JitModule(std::unique_ptr<State> state) : state(std::move(state)) {}
JitModule::~JitModule() = default;

static LogicalResult jitError(ModuleOp module, llvm::Error error) {
  return module.emitError("the JIT failed: ")
         << llvm::toString(std::move(error));
}

FailureOr<std::unique_ptr<JitModule>> JitModule::compile(ModuleOp module) {
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine(module.getLoc(), Cpu::Native);
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      machine ? translateModule(module, *context, *machine) : nullptr;
  if (!llvmModule)
    return failure();

  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return jitError(module, builder.takeError());
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .create();
  if (!jit)
    return jitError(module, jit.takeError());
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return jitError(module, process.takeError());
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = (*jit)->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(llvmModule), std::move(context))))
    return jitError(module, std::move(error));
  auto state = std::make_unique<State>(State{std::move(*jit)});
  return std::unique_ptr<JitModule>(new JitModule(std::move(state)));
}

void *JitModule::lookup(StringRef name) {
  auto address = state->jit->lookup(name);
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<void *>();
}

} // namespace kclaw
