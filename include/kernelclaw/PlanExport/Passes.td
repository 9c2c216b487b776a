//===- Passes.td - Passes of PlanExport --------------------*- tablegen -*-===//
//
// kclaw-linalg-to-gpu and the pass that shows what PlanExport makes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLANEXPORT_PASSES_TD
#define KERNELCLAW_PLANEXPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinalgToGpu : Pass<"kclaw-linalg-to-gpu", "::mlir::ModuleOp"> {
  let summary = "linalg on tensors to GPU kernels, nothing left on the host";
  let description = [{
    Fuses elementwise ops, bufferizes (results become trailing arguments), and
    turns every op that computes or copies into one kernel over bare pointers:
    a flat grid over the outputs, reductions in registers (or a block per
    output, in two stages when outputs are few), contractions tiled through
    shared memory. The host function keeps memref.alloc, views, gpu.launch_func,
    arithmetic on sizes, and a return of the dynamic sizes of the results.
    Dynamic sizes reach the kernels as arguments by value; static ones are
    constants. A verifier names any other op that is left.
    Examples: test/PlanExport/linalg-to-gpu.mlir, linalg-to-gpu-dynamic.mlir.
  }];
  let options = [
    Option<"library", "library", "std::string", "\"\"",
           "contractions become library steps, with f32 operands rounded to "
           "tf32 in none (strict), in convolutions (torch) or in all (tf32); "
           "empty: no library">
  ];
  let dependentDialects = [
    "::kclaw::claw::ClawDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExportPlan : Pass<"kclaw-export-plan", "::mlir::ModuleOp"> {
  let summary = "prints the plan of every function with a body";
  let description = [{
    For tests and for looking: lowers a copy of each function (Torch dialect or
    linalg on tensors) to a plan and prints its JSON. The module is unchanged.
  }];
  let options = [
    Option<"producer", "producer", "std::string", "\"stock\"",
           "stock, or reference (computed in f64)">,
    Option<"arch", "arch", "std::string", "\"sm_90\"", "PTX target">,
    Option<"cudaRoot", "cuda-root", "std::string", "\"\"",
           "holds nvvm/libdevice; found from CUDA_HOME if empty">,
    Option<"library", "library", "std::string", "\"\"",
           "stock by libraries: strict, torch or tf32, as kclaw-linalg-to-gpu">,
    Option<"ptxDir", "ptx-dir", "std::string", "\"\"",
           "also writes each module as FUNCTION.ptx in this folder">
  ];
}

#endif // KERNELCLAW_PLANEXPORT_PASSES_TD
