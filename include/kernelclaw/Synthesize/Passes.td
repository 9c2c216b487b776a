//===- Passes.td - Passes of the Synthesize library ---------*- tablegen -*-===//
//
// What crosses from IR to the agent half.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SYNTHESIZE_PASSES_TD
#define KERNELCLAW_SYNTHESIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def KClawDumpSpecs : Pass<"kclaw-dump-specs", "::mlir::ModuleOp"> {
  let summary = "print the kernel spec of each region as JSON";
  let description = [{
    One JSON text a region on standard output (docs/schema/spec.schema.json),
    before the module; a diagnostic for a region without. The module is
    unchanged. See test/Outline/specs.mlir.
  }];
}

#endif // KERNELCLAW_SYNTHESIZE_PASSES_TD
