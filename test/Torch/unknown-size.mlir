// torch-mlir's -1 is an unknown size, as `?` is; other negative sizes are
// errors (errors.mlir). It is lowered as one, too.
// RUN: kernelclaw-opt %s | FileCheck %s
// RUN: kernelclaw-opt %s --llm-optimize="device=cpu" | FileCheck %s --check-prefix=LOWERED

// CHECK: func.func @main(%{{.*}}: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
// LOWERED: @main_shape(dense<[-1, 3]> : tensor<2xi64>)
func.func @main(%x: !torch.vtensor<[-1,3],f32>) -> !torch.vtensor<[-1,3],f32> {
  return %x : !torch.vtensor<[-1,3],f32>
}
