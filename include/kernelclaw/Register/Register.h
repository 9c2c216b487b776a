//===- Register.h - All dialects and passes of KernelClaw -------*- C++ -*-===//
//
// The one list that kernelclaw-opt and the plugin share: a pass or dialect that
// is named here is in both.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_REGISTER_REGISTER_H
#define KERNELCLAW_REGISTER_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace kclaw {

struct RunReport;

/// torch, torch_c, claw. Safe to call twice on the same registry.
void registerAllKernelClawDialects(mlir::DialectRegistry &registry);

/// Every pass and pipeline of ours. Safe to call twice in a process, so that a
/// plugin named twice on a command line does no harm. A tool that wants
/// llm-optimize's exit code passes a report that outlives the passes.
void registerAllKernelClawPasses(RunReport *report = nullptr);

} // namespace kclaw

#endif // KERNELCLAW_REGISTER_REGISTER_H
