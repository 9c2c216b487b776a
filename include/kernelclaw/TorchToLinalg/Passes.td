//===- Passes.td - Passes of TorchToLinalg -----------------*- tablegen -*-===//
//
// Declares kclaw-torch-to-linalg.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_TORCHTOLINALG_PASSES_TD
#define KERNELCLAW_TORCHTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def TorchToLinalg : Pass<"kclaw-torch-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lowers Torch functions to linalg on builtin tensors";
  let description = [{
    Rewrites every function with Torch types: `!torch.vtensor` becomes a
    builtin tensor (integers lose their sign, which the ops have consulted by
    then), `!torch.int`, `float` and `bool` become i64, f64 and i1. The body
    becomes linalg, tensor, arith and math ops. An op without a row in the
    operator table is an error that names the op and its location. What must
    hold of dynamic sizes, and of indices, becomes claw.require.

    Example: test/TorchToLinalg/pointwise.mlir
  }];
  let options = [
    Option<"widenToF64", "widen-to-f64", "bool", /*default=*/"false",
           "the arithmetic of the f64 reference: floats are computed in f64, "
           "explicit casts still round, float results are f64">,
  ];
  let dependentDialects = [
    "::kclaw::claw::ClawDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // KERNELCLAW_TORCHTOLINALG_PASSES_TD
