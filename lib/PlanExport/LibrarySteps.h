//===- LibrarySteps.h - Matmul and convolution steps ------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_LIBRARYSTEPS_H
#define KERNELCLAW_LIB_PLANEXPORT_LIBRARYSTEPS_H

#include "GenericBody.h"

#include "kernelclaw/Claw/Claw.h"

namespace kclaw {

/// The library steps of one function; they share a workspace.
class LibrarySteps {
public:
  /// Which f32 operands may be rounded to tf32.
  LibrarySteps(mlir::func::FuncOp host, HostSizes &sizes, bool tf32Matmul,
               bool tf32Convolution)
      : host(host), sizes(sizes), tf32Matmul(tf32Matmul),
        tf32Convolution(tf32Convolution) {}

  /// Emits a step in front of `body.op`, or in front of `next` if that adds a
  /// bias to the product or rounds it, and then does it as well. The ops that
  /// are done; none when the generic is no product that the library has.
  llvm::SmallVector<mlir::Operation *> emit(GenericBody &body,
                                            mlir::linalg::GenericOp next);

  /// claw.convolution_step in front of `op`; fails with a diagnostic when a
  /// buffer is not dense.
  mlir::LogicalResult emit(claw::ConvolutionOp op);

private:
  mlir::Value workspace(int64_t bytes);

  mlir::func::FuncOp host;
  HostSizes &sizes;
  bool tf32Matmul, tf32Convolution;
  mlir::memref::AllocOp scratch;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_LIBRARYSTEPS_H
