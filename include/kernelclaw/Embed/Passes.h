//===- Passes.h - Passes of Embed -------------------------------*- C++ -*-===//
//
// Creation and registration functions, generated from Passes.td.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_EMBED_PASSES_H
#define KERNELCLAW_EMBED_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kclaw {

#define GEN_PASS_DECL
#include "kernelclaw/Embed/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "kernelclaw/Embed/Passes.h.inc"

} // namespace kclaw

#endif // KERNELCLAW_EMBED_PASSES_H
