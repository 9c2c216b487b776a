//===- Ptx.h - gpu.module to PTX text ---------------------------*- C++ -*-===//
//
// In-process NVPTX code generation; libdevice is linked from a CUDA toolkit.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_PTX_H
#define KERNELCLAW_LIB_PLANEXPORT_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace kclaw {

/// PTX of the only gpu.module in `module`, which is consumed. Kernels take
/// bare pointers.
mlir::FailureOr<std::string> compileToPtx(mlir::ModuleOp module,
                                          llvm::StringRef arch,
                                          const std::string &cudaRoot);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_PTX_H
