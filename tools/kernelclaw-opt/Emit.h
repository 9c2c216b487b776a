//===- Emit.h - Objects and shared libraries --------------------*- C++ -*-===//
//
// What --emit=obj and --emit=so do after the passes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TOOLS_KERNELCLAW_OPT_EMIT_H
#define KERNELCLAW_TOOLS_KERNELCLAW_OPT_EMIT_H

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include <memory>
#include <string>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace kclaw {

enum class EmitKind { Mlir, Object, SharedLibrary };

/// Parses `input`, runs the passes of `config`, writes `path`. Diagnostics go
/// to stderr.
mlir::LogicalResult emitBinary(std::unique_ptr<llvm::MemoryBuffer> input,
                               mlir::DialectRegistry &registry,
                               const mlir::MlirOptMainConfig &config,
                               EmitKind kind, const std::string &path);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_KERNELCLAW_OPT_EMIT_H
