// CSE and DCE see which ops are pure.
// RUN: kernelclaw-opt %s --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func @pure
// CHECK-COUNT-1: torch.aten.relu
// CHECK-NOT: torch.aten.relu
// CHECK-NOT: torch.operator "torch.aten.tanh"
// CHECK: return
func.func @pure(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) {
  %0 = torch.aten.relu %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %1 = torch.aten.relu %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %dead = torch.operator "torch.aten.tanh"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0, %1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>
}

// -----

// CHECK-LABEL: func @random_and_unknown
// CHECK-COUNT-2: torch.aten.rand_like
// CHECK: torch.aten.relu_
// CHECK: torch.aten._assert_tensor_metadata
// CHECK: torch.operator "torch.myns.thing"
func.func @random_and_unknown(%x: !torch.vtensor<[4],f32>, %n: !torch.none) {
  %0 = torch.aten.rand_like %x, %n : !torch.vtensor<[4],f32>, !torch.none -> !torch.vtensor<[4],f32>
  %1 = torch.aten.rand_like %x, %n : !torch.vtensor<[4],f32>, !torch.none -> !torch.vtensor<[4],f32>
  %2 = torch.aten.relu_ %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  torch.aten._assert_tensor_metadata %x, %n, %n : !torch.vtensor<[4],f32>, !torch.none, !torch.none
  %3 = torch.operator "torch.myns.thing"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return
}

// -----

// A read of a mutable tensor does not move across the overwrite (TM-03).
// CHECK-LABEL: func @mutated
// CHECK: %[[BEFORE:.*]] = torch.copy.to_vtensor
// CHECK: torch.overwrite.tensor.contents
// CHECK: %[[AFTER:.*]] = torch.copy.to_vtensor
// CHECK: return %[[BEFORE]], %[[AFTER]]
func.func @mutated(%m: !torch.tensor<[3,4],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>) {
  %int2 = torch.constant.int 2
  %0 = torch.copy.to_vtensor %m : !torch.vtensor<[3,4],f32>
  %1 = torch.aten.mul.Scalar %0, %int2 : !torch.vtensor<[3,4],f32>, !torch.int -> !torch.vtensor<[3,4],f32>
  torch.overwrite.tensor.contents %1 overwrites %m : !torch.vtensor<[3,4],f32>, !torch.tensor<[3,4],f32>
  %2 = torch.copy.to_vtensor %m : !torch.vtensor<[3,4],f32>
  return %0, %2 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>
}
