//===- CpuFallback.h - The CPU lowering beside the device's -----*- C++ -*-===//
//
// Private to lib/Synthesize. The CPU's half of the module is lowered in a
// thread while the device's half is worked on; the two share nothing but
// bytecode, as MLIR contexts need not be thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_CPUFALLBACK_H
#define KERNELCLAW_LIB_SYNTHESIZE_CPUFALLBACK_H

#include "kernelclaw/Lower/Lower.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/thread.h"

#include <optional>
#include <string>

namespace kclaw {

/// The bundle kclaw-lower on a module that no other thread looks at. Verifying
/// after each pass is a third of its time, so only builds with checks do that;
/// the result is for the caller to verify.
mlir::LogicalResult runUnverified(mlir::ModuleOp module, TargetDevice target);

/// Starts no process, opens no file and reads no environment in its thread.
class CpuFallback {
public:
  CpuFallback() = default;
  CpuFallback(const CpuFallback &) = delete;
  CpuFallback &operator=(const CpuFallback &) = delete;
  /// Waits for the thread.
  ~CpuFallback();

  /// Begins to lower a copy of `imported` (Torch dialect) for the CPU.
  void start(mlir::ModuleOp imported);

  /// Waits, then adds the entries of `imported`, lowered for the CPU, to
  /// `module` (LLVM dialect) as NAME_cpu. Where the thread was not started,
  /// failed or had something to say, `imported` is lowered here and now, so
  /// that diagnostics come in the order and with the locations of one thread.
  mlir::LogicalResult addTo(mlir::ModuleOp module,
                            mlir::OwningOpRef<mlir::ModuleOp> imported);

  /// Whether addTo took what the thread made.
  bool usedThread() const { return fromThread; }

private:
  void wait();

  std::optional<llvm::thread> worker;
  std::string input;  ///< bytecode; the thread's until it was waited for
  std::string output; ///< as `input`; empty: use the other way
  bool fromThread = false;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_CPUFALLBACK_H
