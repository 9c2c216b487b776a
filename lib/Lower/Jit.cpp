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

/// "'f', 'g'" of the symbols that code refers to and nobody defines; the text
/// of the error when it is of another kind.
static std::string describeFailure(llvm::Error error, bool &undefined) {
  std::string text;
  llvm::handleAllErrors(
      std::move(error),
      [&](const llvm::orc::SymbolsNotFound &missing) {
        undefined = true;
        for (const llvm::orc::SymbolStringPtr &symbol : missing.getSymbols())
          text += (text.empty() ? "'" : ", '") + (*symbol).str() + "'";
      },
      [&](const llvm::ErrorInfoBase &other) { text = other.message(); });
  return text;
}

/// Generates all code now, so that a symbol without a definition is told here
/// and by name. The lookup itself only says what could not be made; the reason
/// goes to the session's reporter.
static LogicalResult materialize(ModuleOp module, llvm::orc::LLJIT &jit,
                                 StringRef function) {
  std::string reason;
  bool undefined = false;
  jit.getExecutionSession().setErrorReporter([&](llvm::Error error) {
    reason = describeFailure(std::move(error), undefined);
  });
  auto address = jit.lookup(function);
  jit.getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  if (address)
    return success();
  std::string ending = llvm::toString(address.takeError());
  if (!undefined)
    return module.emitError("the JIT failed: ")
           << (reason.empty() ? ending : reason);
  return module.emitError("the module needs ")
         << reason
         << ", which neither it nor this process defines (kernelclaw-run has "
            "libkernelclaw_runtime, libc and libm); define it in the module, "
            "or link the output of kernelclaw-opt --emit=obj with the "
            "library that has it";
}

/// A function that other modules could call; empty when there is none.
static std::string anyFunction(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      return function.getName().str();
  return {};
}

FailureOr<std::unique_ptr<JitModule>> JitModule::compile(ModuleOp module) {
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine(module.getLoc(), Cpu::Native);
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      machine ? translateModule(module, *context, *machine) : nullptr;
  if (!llvmModule)
    return failure();

  std::string function = anyFunction(*llvmModule);
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
  if (!function.empty() && failed(materialize(module, **jit, function)))
    return failure();
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
