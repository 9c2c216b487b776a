//===- PlanExport.h - A region as a plan of our own kernels -----*- C++ -*-===//
//
// Lowers one region function through TorchToLinalg and kclaw-linalg-to-gpu to
// PTX and a launch recipe: the f64 reference, or stock. Static shapes.
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
  std::string cudaRoot;                ///< holds nvvm/libdevice
};

/// `region` is a private function in Torch dialect; it is cloned, not changed.
/// Failure comes with a diagnostic on the op that could not be lowered.
mlir::FailureOr<Plan> exportPlan(mlir::func::FuncOp region,
                                 const PlanExportOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_PLANEXPORT_PLANEXPORT_H
