//===- PlanExport.h - A region as a plan of our own kernels -----*- C++ -*-===//
//
// Lowers one region function through TorchToLinalg and kclaw-linalg-to-gpu to
// PTX and a launch recipe: the f64 reference, or stock (all kernels ours, or
// contractions by library steps). Grids, sizes and
// offsets are expressions over the names that DimNames has for dynamic
// dimensions; integer and boolean arguments are names too (scalarName), and an
// f64 argument may be passed on to kernels.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLANEXPORT_PLANEXPORT_H
#define KERNELCLAW_PLANEXPORT_PLANEXPORT_H

#include "kernelclaw/Plan/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

struct PlanExportOptions {
  Producer producer = Producer::Stock; ///< Stock, or Reference (widened to f64)
  std::string arch = "sm_90";          ///< PTX target
  std::string cudaRoot;                ///< holds nvvm/libdevice; empty: search
  /// Contractions as library steps, with f32 operands rounded to tf32 in none
  /// ("strict"), in convolutions ("torch": PyTorch's default) or in all
  /// ("tf32"); empty: our own lowering only. Never of the reference. A plan
  /// that ends up without library steps comes without device code.
  std::string library;
};

/// Whether a plan has a matmul or convolution step.
bool hasLibrarySteps(const Plan &plan);

struct ExportedPlan {
  Plan plan;
  /// The shape of each result, in elements.
  std::vector<std::vector<Expr>> resultDims;
};

/// The name of a scalar argument in expressions and as an f64 of a kernel.
inline std::string scalarName(unsigned argument) {
  return "arg" + std::to_string(argument);
}

/// `region` is a private function in Torch dialect; it is cloned, not changed.
/// Failure comes with a diagnostic on the op that could not be lowered.
mlir::FailureOr<ExportedPlan> exportPlan(mlir::func::FuncOp region,
                                         const PlanExportOptions &options);

/// The same for a function that is linalg on builtin tensors already (its
/// arithmetic is taken as it is, also for Producer::Reference).
mlir::FailureOr<ExportedPlan>
exportLinalgPlan(mlir::func::FuncOp function, const PlanExportOptions &options);

/// Interfaces that the lowering needs on dialects: bufferization, conversion
/// and translation to LLVM, the NVVM target. Every pass that calls exportPlan
/// adds them in getDependentDialects.
void registerPlanExportInterfaces(mlir::DialectRegistry &registry);

/// The first folder of `cudaRoot` (if given), $KERNELCLAW_CUDA_ROOT,
/// $CUDA_HOME, $CUDA_PATH, the toolkit of the build and the usual places
/// that holds nvvm/libdevice/libdevice.10.bc; empty if none does.
std::string findLibdeviceRoot(const std::string &cudaRoot);

} // namespace kclaw

#endif // KERNELCLAW_PLANEXPORT_PLANEXPORT_H
