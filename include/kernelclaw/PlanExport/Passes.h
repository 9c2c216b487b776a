//===- Passes.h - Passes of PlanExport --------------------------*- C++ -*-===//
//
// Creation and registration functions, generated from Passes.td.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLANEXPORT_PASSES_H
#define KERNELCLAW_PLANEXPORT_PASSES_H

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace kclaw {

#define GEN_PASS_DECL
#include "kernelclaw/PlanExport/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "kernelclaw/PlanExport/Passes.h.inc"

} // namespace kclaw

#endif // KERNELCLAW_PLANEXPORT_PASSES_H
