// RUN: kernelclaw-opt %s --kclaw-control-flow --verify-diagnostics

func.func @forall(%m: memref<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot be lowered to branches}}
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    scf.forall.in_parallel {}
  }
  return %0 : tensor<4xf32>
}
