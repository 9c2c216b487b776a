// TM-07: slice bounds outside of the dimension are clamped, never an error; a
// declared result that the bounds do not give is a type diagnostic, no crash.
// RUN: rm -rf %t && mkdir -p %t && split-file %s %t
// RUN: %python %S/../../Run/Inputs/arrays.py write %t/x.npz arg0=f4:5 arg1=f4:1x2x3x2
// RUN: kernelclaw-run %t/clamped.mlir --device=cpu --args %t/x.npz --out %t/out.npz | FileCheck %s --check-prefix=SHAPES
// RUN: %python %S/../../Run/Inputs/arrays.py read %t/out.npz | FileCheck %s
// RUN: not kernelclaw-opt %t/declared.mlir --kclaw-torch-to-linalg 2>&1 | FileCheck %s --check-prefix=DECLARED

// SHAPES: res0: i64[2]
// SHAPES: res1: f32[1,2,3,2]
// SHAPES: res2: f32[0]
// SHAPES: res3: f32[4]
// SHAPES: res4: f32[3]
// CHECK: res0 int64 [10 11]
// CHECK: res1 float32 [0. 1. 2. 3. 4. 5. 6. 7. 8. 9. 10. 11.]
// CHECK: res2 float32 []
// CHECK: res3 float32 [1. 2. 3. 4.]
// CHECK: res4 float32 [0. 2. 4.]
// DECLARED: declared.mlir:6:8: error: cannot lower torch.aten.slice.Tensor to linalg: computes 'tensor<2xi64>' but the result is declared '!torch.vtensor<[3],si64>'

//--- clamped.mlir
func.func @main(%x: !torch.vtensor<[5],f32>, %y: !torch.vtensor<[1,2,3,2],f32>) -> (!torch.vtensor<[2],si64>, !torch.vtensor<[1,2,3,2],f32>, !torch.vtensor<[0],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[3],f32>) {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c2 = torch.constant.int 2
  %c3 = torch.constant.int 3
  %m1 = torch.constant.int -1
  %m10 = torch.constant.int -10
  %m1023 = torch.constant.int -1023
  %last = torch.constant.int 9223372036854775807
  %literal = torch.vtensor.literal(dense<[10, 11, 12]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %0 = torch.aten.slice.Tensor %literal, %c0, %m10, %m1, %c1 : !torch.vtensor<[3],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2],si64>
  // A cache of 1023 rows over a shorter dimension.
  %1 = torch.aten.slice.Tensor %y, %c2, %m1023, %last, %c1 : !torch.vtensor<[1,2,3,2],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[1,2,3,2],f32>
  // Start behind end.
  %2 = torch.aten.slice.Tensor %x, %c0, %c3, %c1, %c1 : !torch.vtensor<[5],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[0],f32>
  %3 = torch.aten.slice.Tensor %x, %c0, %c1, %last, %c1 : !torch.vtensor<[5],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[4],f32>
  // An odd length in steps of two.
  %4 = torch.aten.slice.Tensor %x, %c0, %c0, %last, %c2 : !torch.vtensor<[5],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3],f32>
  return %0, %1, %2, %3, %4 : !torch.vtensor<[2],si64>, !torch.vtensor<[1,2,3,2],f32>, !torch.vtensor<[0],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[3],f32>
}

//--- declared.mlir
func.func @main(%x: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3],si64> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %m1 = torch.constant.int -1
  %m10 = torch.constant.int -10
  %0 = torch.aten.slice.Tensor %x, %c0, %m10, %m1, %c1 : !torch.vtensor<[3],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3],si64>
  return %0 : !torch.vtensor<[3],si64>
}
