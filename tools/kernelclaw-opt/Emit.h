//===- Emit.h - Objects, shared libraries, headers --------------*- C++ -*-===//
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

/// The header beside an output file: foo.h for libfoo.so, foo.o or foo.
std::string headerBeside(const std::string &path);

/// Parses `input`, runs the passes of `config`, writes `path` and, unless it is
/// empty, `headerPath`. Diagnostics go to stderr.
mlir::LogicalResult emitBinary(std::unique_ptr<llvm::MemoryBuffer> input,
                               mlir::DialectRegistry &registry,
                               const mlir::MlirOptMainConfig &config,
                               EmitKind kind, const std::string &path,
                               const std::string &headerPath);

} // namespace kclaw

#endif // KERNELCLAW_TOOLS_KERNELCLAW_OPT_EMIT_H
