// Pointwise ops: broadcast, scalars, and the compute type of 16-bit floats.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg | FileCheck %s
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg=widen-to-f64 | FileCheck %s --check-prefix=WIDE

// CHECK: #[[REPEAT:.+]] = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func.func @relu(
// CHECK-SAME: tensor<2x?xf32>) -> tensor<2x?xf32>
// CHECK: linalg.generic
// CHECK: arith.maximumf
// WIDE-LABEL: func.func @relu(
// WIDE-SAME: tensor<2x?xf32>) -> tensor<2x?xf64>
// WIDE: arith.extf {{.*}} : f32 to f64
// WIDE: arith.maximumf {{.*}} : f64
func.func @relu(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
  return %0 : !torch.vtensor<[2,?],f32>
}

// The sum is taken in f32 and rounded once.
// CHECK-LABEL: func.func @add_f16(
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK-NEXT: arith.truncf {{.*}} : f32 to f16
func.func @add_f16(%x: !torch.vtensor<[4,3],f16>, %y: !torch.vtensor<[3],f16>) -> !torch.vtensor<[4,3],f16> {
  %one = torch.constant.int 1
  %0 = torch.aten.add.Tensor %x, %y, %one : !torch.vtensor<[4,3],f16>, !torch.vtensor<[3],f16>, !torch.int -> !torch.vtensor<[4,3],f16>
  return %0 : !torch.vtensor<[4,3],f16>
}

// An explicit cast rounds, also when floats are widened.
// WIDE-LABEL: func.func @cast(
// WIDE: arith.truncf {{.*}} : f64 to f16
// WIDE-NEXT: arith.extf {{.*}} : f16 to f64
func.func @cast(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f16> {
  %half = torch.constant.int 5
  %0 = torch.prims.convert_element_type %x, %half : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f16>
  return %0 : !torch.vtensor<[4],f16>
}

// ui8 compares unsigned although builtin i8 has no sign.
// CHECK-LABEL: func.func @unsigned(
// CHECK: arith.maxui
// CHECK-LABEL: func.func @signed(
// CHECK: arith.maxsi
func.func @unsigned(%x: !torch.vtensor<[4],ui8>, %y: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],ui8> {
  %0 = torch.aten.maximum %x, %y : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],ui8> -> !torch.vtensor<[4],ui8>
  return %0 : !torch.vtensor<[4],ui8>
}
func.func @signed(%x: !torch.vtensor<[4],si8>, %y: !torch.vtensor<[4],si8>) -> !torch.vtensor<[4],si8> {
  %0 = torch.aten.maximum %x, %y : !torch.vtensor<[4],si8>, !torch.vtensor<[4],si8> -> !torch.vtensor<[4],si8>
  return %0 : !torch.vtensor<[4],si8>
}

// A size of 1 is repeated, a runtime scalar captured.
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %{{.*}}: f64) -> tensor<4x3xf32>
// CHECK: indexing_maps = [#[[REPEAT]],
func.func @broadcast(%x: !torch.vtensor<[4,1],f32>, %y: !torch.vtensor<[3],f32>, %s: !torch.float) -> !torch.vtensor<[4,3],f32> {
  %0 = torch.aten.mul.Tensor %x, %y : !torch.vtensor<[4,1],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[4,3],f32>
  %1 = torch.aten.mul.Scalar %0, %s : !torch.vtensor<[4,3],f32>, !torch.float -> !torch.vtensor<[4,3],f32>
  return %1 : !torch.vtensor<[4,3],f32>
}
