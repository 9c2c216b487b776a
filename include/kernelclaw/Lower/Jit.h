//===- Jit.h - Runs a lowered module in this process ------------*- C++ -*-===//
//
// ORC on the LLVM dialect that kclaw-lower leaves. Symbols that the module
// needs (the runtime's, libm's) are looked up in this process.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_JIT_H
#define KERNELCLAW_LOWER_JIT_H

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace kclaw {

/// Owns the machine code; addresses are valid as long as it lives.
class JitModule {
public:
  /// `module` is in LLVM dialect. Optimised for this CPU. Failure comes with a
  /// diagnostic.
  static mlir::FailureOr<std::unique_ptr<JitModule>>
  compile(mlir::ModuleOp module);
  ~JitModule();

  /// The address of a function, or null.
  void *lookup(llvm::StringRef name);

private:
  struct State;
  explicit JitModule(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace kclaw

#endif // KERNELCLAW_LOWER_JIT_H
