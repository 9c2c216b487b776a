//===- Passes.h - Passes of TorchToLinalg -----------------------*- C++ -*-===//
//
// Creator and registration of the passes declared in Passes.td.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCHTOLINALG_PASSES_H
#define KERNELCLAW_TORCHTOLINALG_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kclaw {

#define GEN_PASS_DECL
#include "kernelclaw/TorchToLinalg/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "kernelclaw/TorchToLinalg/Passes.h.inc"

} // namespace kclaw

#endif // KERNELCLAW_TORCHTOLINALG_PASSES_H
