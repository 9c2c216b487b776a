// Views: reshape, slice bounds, and names of the same op.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg --canonicalize --split-input-file | FileCheck %s

// A -1 in a static result is no computation.
// CHECK-LABEL: func.func @view(
// CHECK-NEXT: tensor.expand_shape {{.*}} : tensor<4x6xf32> into tensor<4x2x3xf32>
// CHECK-NEXT: return
func.func @view(%x: !torch.vtensor<[4,6],f32>) -> !torch.vtensor<[4,2,3],f32> {
  %a = torch.constant.int 4
  %b = torch.constant.int 2
  %c = torch.constant.int -1
  %sizes = torch.prim.ListConstruct %a, %b, %c : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.view %x, %sizes : !torch.vtensor<[4,6],f32>, !torch.list<int> -> !torch.vtensor<[4,2,3],f32>
  return %0 : !torch.vtensor<[4,2,3],f32>
}

// -----

// Bounds outside of the dim are clamped: -1023 is 0, 2^63-1 the end.
// CHECK-LABEL: func.func @clamped(
// CHECK-SAME: %[[X:.*]]: tensor<19xf32>
// CHECK: return %[[X]]
func.func @clamped(%x: !torch.vtensor<[19],f32>) -> !torch.vtensor<[19],f32> {
  %dim = torch.constant.int 0
  %start = torch.constant.int -1023
  %end = torch.constant.int 9223372036854775807
  %step = torch.constant.int 1
  %0 = torch.aten.slice.Tensor %x, %dim, %start, %end, %step : !torch.vtensor<[19],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[19],f32>
  return %0 : !torch.vtensor<[19],f32>
}

// -----

// A start behind the end gives size 0; an odd length with step 2 rounds up.
// CHECK-LABEL: func.func @empty(
// CHECK: tensor.empty() : tensor<0xf32>
// CHECK: tensor.extract_slice {{.*}}[0] [3] [2] : tensor<5xf32> to tensor<3xf32>
func.func @empty(%x: !torch.vtensor<[5],f32>) -> (!torch.vtensor<[0],f32>, !torch.vtensor<[3],f32>) {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %3 = torch.constant.int 3
  %5 = torch.constant.int 5
  %a = torch.aten.slice.Tensor %x, %0, %3, %1, %1 : !torch.vtensor<[5],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[0],f32>
  %b = torch.aten.slice.Tensor %x, %0, %0, %5, %2 : !torch.vtensor<[5],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3],f32>
  return %a, %b : !torch.vtensor<[0],f32>, !torch.vtensor<[3],f32>
}

// -----

// An empty slice takes nothing, not even at the very end.
// CHECK-LABEL: func.func @at_end(
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.empty() : tensor<0xf32>
func.func @at_end(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[0],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %3 = torch.constant.int 3
  %a = torch.aten.slice.Tensor %x, %0, %3, %1, %1 : !torch.vtensor<[3],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[0],f32>
  return %a : !torch.vtensor<[0],f32>
}

// -----

// torch.operator "torch.aten.X" is torch.aten.X; a result may return twice.
// CHECK-LABEL: func.func @operator(
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
// CHECK: return %[[Y:.*]], %[[Y]]
func.func @operator(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3,2],f32>) {
  %0 = torch.operator "torch.aten.t"(%x) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32>
  return %0, %0 : !torch.vtensor<[3,2],f32>, !torch.vtensor<[3,2],f32>
}

// -----

// Sizes known only when running: their product is compared, not computed with.
// CHECK-LABEL: func.func @dynamic(
// CHECK: claw.require {{.*}}"aten.view: {0} elements do not fit a shape of {1} elements"
// CHECK-NEXT: tensor.collapse_shape {{.*}} {{\[\[}}0, 1], [2]] : tensor<?x?x29xf32> into tensor<?x29xf32>
// CHECK-NEXT: return
func.func @dynamic(%x: !torch.vtensor<[?,?,29],f32>) -> !torch.vtensor<[?,29],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %29 = torch.constant.int 29
  %a = torch.aten.size.int %x, %0 : !torch.vtensor<[?,?,29],f32>, !torch.int -> !torch.int
  %b = torch.aten.size.int %x, %1 : !torch.vtensor<[?,?,29],f32>, !torch.int -> !torch.int
  %n = torch.aten.mul.int %a, %b : !torch.int, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %n, %29 : (!torch.int, !torch.int) -> !torch.list<int>
  %v = torch.aten.view %x, %sizes : !torch.vtensor<[?,?,29],f32>, !torch.list<int> -> !torch.vtensor<[?,29],f32>
  return %v : !torch.vtensor<[?,29],f32>
}
