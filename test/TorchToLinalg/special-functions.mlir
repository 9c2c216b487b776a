// Functions whose simple formulas lose small or large arguments, and the sign
// bit of -0.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @special
// CHECK-DAG: math.erfc
// CHECK-DAG: math.asinh
// CHECK-DAG: math.acosh
func.func @special(%x: !torch.vtensor<[8],f32>) -> (!torch.vtensor<[8],f32>, !torch.vtensor<[8],f32>, !torch.vtensor<[8],f32>) {
  %0 = torch.aten.erfc %x : !torch.vtensor<[8],f32> -> !torch.vtensor<[8],f32>
  %1 = torch.aten.asinh %x : !torch.vtensor<[8],f32> -> !torch.vtensor<[8],f32>
  %2 = torch.aten.acosh %x : !torch.vtensor<[8],f32> -> !torch.vtensor<[8],f32>
  return %0, %1, %2 : !torch.vtensor<[8],f32>, !torch.vtensor<[8],f32>, !torch.vtensor<[8],f32>
}

// CHECK-LABEL: func.func @sign
// CHECK: math.copysign
func.func @sign(%x: !torch.vtensor<[8],f32>) -> !torch.vtensor<[8],i1> {
  %0 = torch.aten.signbit %x : !torch.vtensor<[8],f32> -> !torch.vtensor<[8],i1>
  return %0 : !torch.vtensor<[8],i1>
}
