// Sizes that may differ are required to agree; sizes that are one by
// construction need nothing; a device's reference needs no check of indices.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg | FileCheck %s
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg=widen-to-f64 | FileCheck %s --check-prefix=WIDE

// CHECK-LABEL: func.func @chain(
// CHECK-NOT: claw.require
func.func @chain(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int1 = torch.constant.int 1
  %int-1 = torch.constant.int -1
  %none = torch.constant.none
  %false = torch.constant.bool false
  %0 = torch.aten.exp %x : !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  %1 = torch.aten.add.Tensor %0, %x, %int1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  %2 = torch.aten.softmax.int %1, %int-1, %none : !torch.vtensor<[?,?],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,?],f32>
  return %2 : !torch.vtensor<[?,?],f32>
}

// CHECK-LABEL: func.func @mm(
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[L:.*]], %[[R:.*]] : index
// CHECK: claw.require %[[SAME]], "aten.mm: sizes {0} and {1} must be equal"(%[[L]], %[[R]] : index, index)
// CHECK: linalg.generic
func.func @mm(%a: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// CHECK-LABEL: func.func @rows(
// CHECK: %[[BAD:.*]] = linalg.generic
// CHECK: %[[LAST:.*]] = tensor.extract %[[BAD]][]
// CHECK: claw.require %{{.*}}, "aten.index_select: index {0} is out of bounds for dimension 0 with size {1}"(%[[LAST]], %{{.*}} : i64, index)
// WIDE-LABEL: func.func @rows(
// WIDE-NOT: claw.require
func.func @rows(%x: !torch.vtensor<[5,4],f32>, %i: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,4],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.index_select %x, %int0, %i : !torch.vtensor<[5,4],f32>, !torch.int, !torch.vtensor<[3],si64> -> !torch.vtensor<[3,4],f32>
  return %0 : !torch.vtensor<[3,4],f32>
}
