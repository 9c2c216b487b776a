//===- Architectures.h - What kernels are built for -------------*- C++ -*-===//
#ifndef KERNELCLAW_PLANEXPORT_ARCHITECTURES_H
#define KERNELCLAW_PLANEXPORT_ARCHITECTURES_H

#include "mlir/IR/Location.h"

namespace kclaw {

/// An error at `loc` that lists the accepted ones when `arch` ("sm_90a") is
/// none that both LLVM and NVRTC build for; `what` says who asked.
llvm::LogicalResult checkArchitecture(mlir::Location loc, llvm::StringRef what,
                                      llvm::StringRef arch);

} // namespace kclaw

#endif // KERNELCLAW_PLANEXPORT_ARCHITECTURES_H
