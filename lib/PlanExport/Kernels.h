//===- Kernels.h - The kinds of kernel --------------------------*- C++ -*-===//
//
// One function per way to run a linalg.generic on memrefs. Each builds the
// kernel, launches it before the op, and leaves erasing the op to the caller.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_KERNELS_H
#define KERNELCLAW_LIB_PLANEXPORT_KERNELS_H

#include "GenericBody.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kclaw {

/// Gives kernels their names and their module, and what the host knows.
struct KernelNames {
  mlir::gpu::GPUModuleOp module;
  HostSizes &sizes;
  std::string prefix;
  int next = 0;
  std::string take(llvm::StringRef kind) {
    return prefix + "_" + std::to_string(next++) + "_" + kind.str();
  }
};

/// One thread per output; reduction loops inside the thread, blockwise.
mlir::LogicalResult emitThreadKernel(GenericBody &body, KernelNames &names);

/// Whether outputs are so few, or the input so laid out, that a block each
/// pays.
bool wantsBlockPerOutput(const GenericBody &body);
/// One block per output (or per output and chunk, combined by a second kernel).
mlir::LogicalResult emitBlockKernel(GenericBody &body, KernelNames &names);

/// Matmul-like generics of a size that pays for tiles.
bool wantsTiles(const GenericBody &body);
/// 64 x 64 tiles through shared memory, 4 x 4 outputs per thread.
mlir::LogicalResult emitTiledKernel(GenericBody &body, KernelNames &names);

/// A host loop nest over device memory as one thread; slow, but right.
mlir::LogicalResult emitSequentialKernel(mlir::Operation *loop,
                                         KernelNames &names);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_KERNELS_H
