//===- Passes.h - Passes of the Synthesize library --------------*- C++ -*-===//
//
// kclaw-dump-specs.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SYNTHESIZE_PASSES_H
#define KERNELCLAW_SYNTHESIZE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kclaw {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernelclaw/Synthesize/Passes.h.inc"
} // namespace kclaw

#endif // KERNELCLAW_SYNTHESIZE_PASSES_H
