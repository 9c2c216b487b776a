//===- Register.cpp - All dialects and passes of KernelClaw ---------------===//
//
// Shared by kernelclaw-opt and the plugin; see Register.h.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Register/Register.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Embed/Passes.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/PlanExport/Passes.h"
#include "kernelclaw/Synthesize/LlmOptimize.h"
#include "kernelclaw/Synthesize/Passes.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/TorchToLinalg/Passes.h"

using namespace mlir;

void kclaw::registerAllKernelClawDialects(DialectRegistry &registry) {
  registry
      .insert<torch::TorchDialect, torch_c::TorchCDialect, claw::ClawDialect>();
  registerLowerDialects(registry);
}

void kclaw::registerAllKernelClawPasses(RunReport *report) {
  registerKernelClawEmbedPasses();
  registerKernelClawOutlinePasses();
  registerKernelClawPlanExportPasses();
  registerKernelClawSynthesizePasses();
  registerLlmOptimizePass(report);
  registerTorchToLinalgPasses();
  registerKernelClawLowerPasses();
  registerLowerPipelines();
}
