//===- Passes.h - Passes of Lower -------------------------------*- C++ -*-===//
//
// Generated creators and options (see Passes.td), and the registration of the
// passes and of the bundle kclaw-lower.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_PASSES_H
#define KERNELCLAW_LOWER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kclaw {

#define GEN_PASS_DECL
#include "kernelclaw/Lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "kernelclaw/Lower/Passes.h.inc"

/// The bundle `kclaw-lower{device=cpu|cuda}`.
void registerLowerPipelines();

} // namespace kclaw

#endif // KERNELCLAW_LOWER_PASSES_H
