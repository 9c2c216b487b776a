//===- Passes.td - kclaw-outline ----------------------------*- tablegen -*-===//
//
// Cuts functions into regions worth a kernel of their own.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_OUTLINE_PASSES_TD
#define KERNELCLAW_OUTLINE_PASSES_TD

include "mlir/Pass/PassBase.td"

def KClawOutline : Pass<"kclaw-outline", "::mlir::ModuleOp"> {
  let summary = "outline regions of Torch ops into private functions";
  let description = [{
    Afterwards a function holds calls of region functions, host scalars,
    constants, random and unsupported ops, and its return. A region function is
    private, named `@NAME_region_k` and marked `claw.region`. Scalars, lists,
    splats and views are duplicated into each region that uses them; other
    literals become arguments with `claw.role = "constant"`. Identical regions
    share one function. Every compute op that is left outside gets a remark.
    See test/Outline/granularity.mlir.
  }];
  let options = [
    Option<"granularity", "granularity", "std::string", /*default=*/"\"auto\"",
           "auto, op, fusion or function">];
  let dependentDialects = ["::kclaw::claw::ClawDialect",
                           "::kclaw::torch::TorchDialect",
                           "::mlir::func::FuncDialect"];
}

def KClawLabelDims : Pass<"kclaw-label-dims", "::mlir::ModuleOp"> {
  let summary = "names the dynamic dimensions of entries' arguments";
  let description = [{
    Sizes that the ops of a public Torch function make equal, and those that its
    symbols call equal, get one name in `claw.dims`. Every call checks them.
    See test/Outline/label-dims.mlir.
  }];
}

#endif // KERNELCLAW_OUTLINE_PASSES_TD
