// Sizes that the ops make equal get one name; names that are there stay.
// RUN: kernelclaw-opt %s --kclaw-label-dims | FileCheck %s

// CHECK-LABEL: func.func @mm(
// CHECK-SAME: !torch.vtensor<[?,?],f32> {claw.dims = ["n0", "n1"]}
// CHECK-SAME: !torch.vtensor<[?,?],f32> {claw.dims = ["n1", "n2"]}
func.func @mm(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// CHECK-LABEL: func.func @kept(
// CHECK-SAME: {claw.dims = ["k:2:9"]}
func.func @kept(%a: !torch.vtensor<[?],f32> {claw.dims = ["k:2:9"]}) -> !torch.vtensor<[?],f32> {
  %0 = torch.aten.relu %a : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}

// What an op changes is no longer the same size: neither half of glu, nor a
// slice, nor what a repetition or a norm over the middle gives.
// CHECK-LABEL: func.func @changed(
// CHECK-SAME: %arg0: !torch.vtensor<[?,?],f32> {claw.dims = ["n0", "n1"]}
// CHECK-SAME: %arg1: !torch.vtensor<[?,?],f32> {claw.dims = ["n2", "n3"]}
// CHECK-SAME: %arg2: !torch.vtensor<[?,?],f32> {claw.dims = ["n0", "n4"]}
// CHECK-SAME: %arg3: !torch.vtensor<[?,?],f32> {claw.dims = ["n5", "n6"]}
// CHECK-SAME: %arg4: !torch.vtensor<[?],f32> {claw.dims = ["n0"]}
func.func @changed(%x: !torch.vtensor<[?,?],f32>, %y: !torch.vtensor<[?,?],f32>, %z: !torch.vtensor<[?,?],f32>, %w: !torch.vtensor<[?,?],f32>, %v: !torch.vtensor<[?],f32>) -> (!torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>) {
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int-1 = torch.constant.int -1
  %largest = torch.constant.int 9223372036854775807
  %half = torch.aten.glu %x, %int-1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  %0 = torch.aten.mul.Tensor %half, %y : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  %all = torch.aten.slice.Tensor %x, %int0, %int0, %largest, %int1 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,?],f32>
  %rest = torch.aten.slice.Tensor %all, %int1, %int1, %largest, %int1 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,?],f32>
  %1 = torch.aten.mul.Tensor %rest, %z : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  %n = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %counts = torch.prim.ListConstruct %n, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %many = torch.aten.repeat %x, %counts : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  %2 = torch.aten.mul.Tensor %many, %w : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  %dims = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
  %log = torch.aten.logsumexp %x, %dims, %false : !torch.vtensor<[?,?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?],f32>
  %3 = torch.aten.mul.Tensor %log, %v : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %0, %1, %2, %3 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>
}
