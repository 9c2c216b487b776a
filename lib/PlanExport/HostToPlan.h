//===- HostToPlan.h - Launches and buffers as a recipe ----------*- C++ -*-===//
//
// Reads what kclaw-linalg-to-gpu left on the host.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_HOSTTOPLAN_H
#define KERNELCLAW_LIB_PLANEXPORT_HOSTTOPLAN_H

#include "HostExpr.h"

#include "kernelclaw/PlanExport/PlanExport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {

/// Buffers and kernel steps of `host`, whose first `arguments` arguments are
/// inputs and the rest results, and the sizes of the results. The module's
/// source is filled in later.
mlir::FailureOr<ExportedPlan> hostToPlan(mlir::func::FuncOp host,
                                         unsigned arguments,
                                         const ArgumentName &name);

/// Bytes of one element: bool and sub-byte integers take one.
int64_t elementBytes(mlir::Type type);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_HOSTTOPLAN_H
