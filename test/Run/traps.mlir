// TM-03: a value returned twice, an argument returned as it is, a Torch scalar
// beside tensors: separate results with the right values.
// RUN: %python %S/Inputs/arrays.py write %t.npz arg0=f4:3x4
// RUN: kernelclaw-run %s --device=cpu --args %t.npz --out %t.out.npz | FileCheck %s
// RUN: %python %S/Inputs/arrays.py read %t.out.npz | FileCheck %s --check-prefix=VALUES

// CHECK: res0: f32[3,4]
// CHECK: res1: f32[3,4]
// CHECK: res2: f32[3,4]
// CHECK: res3: i64[]
// CHECK: res4: f64[]
// CHECK: res5: bool[]
// VALUES: res0 float32 [0. 2. 4. 6.
// VALUES: res1 float32 [0. 2. 4. 6.
// VALUES: res2 float32 [0. 1. 2. 3.
// VALUES: res3 int64 7
// VALUES: res4 float64 0.5
// VALUES: res5 bool True
func.func @main(%arg0: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.int, !torch.float, !torch.bool) {
  %int2 = torch.constant.int 2
  %int7 = torch.constant.int 7
  %half = torch.constant.float 5.000000e-01
  %true = torch.constant.bool true
  %0 = torch.aten.mul.Scalar %arg0, %int2 : !torch.vtensor<[3,4],f32>, !torch.int -> !torch.vtensor<[3,4],f32>
  return %0, %0, %arg0, %int7, %half, %true : !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.int, !torch.float, !torch.bool
}
