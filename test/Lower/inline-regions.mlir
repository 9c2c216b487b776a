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

func.func private @loop(%x: f32) -> f32 {
  // expected-error @+1 {{this call leads '@loop' back to itself; recursion cannot be lowered}}
  %0 = call @loop(%x) : (f32) -> f32
  return %0 : f32
}

// -----

// Through another function, from an entry.
func.func @main(%x: f32) -> f32 {
  %0 = call @other(%x) : (f32) -> f32
  return %0 : f32
}
func.func private @other(%x: f32) -> f32 {
  // expected-error @+1 {{this call leads '@main' back to itself}}
  %0 = call @main(%x) : (f32) -> f32
  return %0 : f32
}

// -----

// An entry that another entry calls stays, and is inlined there.
// CHECK-LABEL: func.func @first
// CHECK: math.exp
// CHECK-NOT: call
// CHECK-LABEL: func.func @second
// CHECK: math.exp
// CHECK-NOT: call
func.func @first(%x: f32) -> f32 {
  %0 = call @second(%x) : (f32) -> f32
  return %0 : f32
}
func.func @second(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}
