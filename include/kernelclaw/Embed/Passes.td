//===- Passes.td - Passes of Embed --------------------------*- tablegen -*-===//
//
// The all-stock embedding, for tests and for a build without a search.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_EMBED_PASSES_TD
#define KERNELCLAW_EMBED_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmbedStock : Pass<"kclaw-embed-stock", "::mlir::ModuleOp"> {
  let summary = "embeds the stock plan of every region function";
  let description = [{
    Runs after kclaw-outline. Exports stock for each function with a
    `claw.region` and embeds it: device code as gpu.binary, steps as claw ops,
    the public functions on memrefs with results as trailing arguments (form M,
    see Lower.h). Example: test/Embed/embed-stock.mlir.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "\"sm_90\"", "PTX target">,
    Option<"cudaRoot", "cuda-root", "std::string", "\"\"",
           "holds nvvm/libdevice; found from CUDA_HOME if empty">,
    Option<"guarded", "guarded", "bool", "false",
           "embed stock as the winner too, behind the guard (for tests)">,
    Option<"library", "library", "std::string", "\"\"",
           "stock by libraries: strict, torch or tf32, as kclaw-linalg-to-gpu">
  ];
}

#endif // KERNELCLAW_EMBED_PASSES_TD
