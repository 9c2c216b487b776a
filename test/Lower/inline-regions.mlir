// Private functions go into their callers, whatever their ops; recursion is an
// error.
// RUN: kernelclaw-opt %s --split-input-file --kclaw-inline-regions --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: torch.aten.relu
// CHECK-NOT: call
// CHECK-NOT: func.func private
func.func private @inner(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
func.func private @outer(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = call @inner(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = call @outer(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  %1 = call @inner(%0) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// -----

// expected-error @+1 {{calls itself; recursion cannot be lowered}}
func.func private @loop(%x: f32) -> f32 {
  %0 = call @loop(%x) : (f32) -> f32
  return %0 : f32
}
