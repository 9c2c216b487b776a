//===- Passes.td - Passes of Lower -----------------------------*- tablegen -*-//
//
// The parts of the bundle kclaw-lower, in the order in which they run.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LOWER_PASSES_TD
#define KERNELCLAW_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def RecordAbiPass : Pass<"kclaw-record-abi", "::mlir::ModuleOp"> {
  let summary = "notes what the entry ABI needs and builtin types cannot say";
  let description = [{
    On every public function: which arguments and results are ui8 tensors
    (`claw.dtype`), and that no argument may be written
    (`bufferization.writable = false`). See test/Lower/record-abi.mlir.
  }];
}

def InlineRegionsPass : Pass<"kclaw-inline-regions", "::mlir::ModuleOp"> {
  let summary = "inlines private single-block functions, whatever their dialect";
  let description = [{
    Region functions hold unregistered Torch ops, on which the upstream inliner
    refuses to work. Recursion is a diagnostic. See
    test/Lower/inline-regions.mlir.
  }];
}

def SizeChecksPass : Pass<"kclaw-size-checks", "::mlir::ModuleOp"> {
  let summary = "moves what must hold of sizes to the start of each entry";
  let description = [{
    Works on linalg on tensors. Each claw.require that depends on nothing but
    the sizes and scalars of the entry's arguments goes to @NAME__checks, with
    the arguments named in its message; what always holds goes. Requirements on
    data (indices) stay where they are. See test/Lower/size-checks.mlir.
  }];
  let dependentDialects = ["::kclaw::claw::ClawDialect",
                           "::mlir::arith::ArithDialect"];
}

def FuseElementwisePass : Pass<"kclaw-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "fuses pointwise linalg ops into users that visit them once";
  let description = [{
    Never a producer that reads its own output, never into a contraction that
    would compute it again. See test/Lower/fuse-elementwise.mlir.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def OutParamsPass : Pass<"kclaw-out-params", "::mlir::ModuleOp"> {
  let summary = "turns results of entries into memref arguments (form M)";
  let description = [{
    A returned allocation becomes the argument itself; everything else (an
    argument, a view, the second use of a result) is copied. Scalars become
    rank-0 memrefs. See test/Lower/out-params.mlir.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PlanMemoryPass : Pass<"kclaw-plan-memory", "::mlir::ModuleOp"> {
  let summary = "gives every temporary an offset in one arena";
  let description = [{
    First fit over live intervals, 256-byte aligned; what lives in a nested
    region is live during the whole enclosing op. Dynamic sizes follow the
    static part, each in its own place. The entry gets the arena as its last
    argument and a companion function NAME__sizes that returns the bytes needed
    and the dynamic sizes of the results. See test/Lower/plan-memory.mlir.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
}

def CopiesPass : Pass<"kclaw-copies", "::mlir::ModuleOp"> {
  let summary = "turns memref.copy into linalg (cpu) or copy steps (cuda)";
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::kclaw::claw::ClawDialect"];
  let options = [Option<"device", "device", "std::string", "\"cpu\"",
                        "cpu or cuda">];
}

def NarrowFloatsPass : Pass<"kclaw-narrow-floats", "::mlir::ModuleOp"> {
  let summary = "rounds f64 to bf16 once, through f32 rounded to odd";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def ControlFlowPass : Pass<"kclaw-control-flow", "::mlir::ModuleOp"> {
  let summary = "structured loops and conditions to branches, in linear time";
  let description = [{
    The result is that of upstream's convert-scf-to-cf. See
    test/Lower/control-flow.mlir.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandMemrefsPass : Pass<"kclaw-expand-memrefs", "::mlir::ModuleOp"> {
  let summary = "views of memrefs and affine ops to arithmetic on indices";
  let description = [{
    Upstream's memref-expand, expand-strided-metadata and lower-affine together.
    See test/Lower/expand-memrefs.mlir.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def EntryAbiPass : Pass<"kclaw-entry-abi", "::mlir::ModuleOp"> {
  let summary = "emits NAME, NAME_describe, NAME_workspace, NAME_load, "
                "NAME_unload";
  let description = [{
    Works on form M after kclaw-plan-memory, with control flow in cf form. Claw
    steps become calls of the step ABI that leave the function on failure,
    constants and kernels become rows of one table that the runtime walks in
    NAME_load, and the C functions check their tensors through the runtime. See
    test/Lower/entry-abi.mlir.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
  let options = [Option<"device", "device", "std::string", "\"cpu\"",
                        "cpu or cuda">];
}

#endif // KERNELCLAW_LOWER_PASSES_TD
