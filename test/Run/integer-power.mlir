// Integer powers wrap; a negative exponent gives 0, but for bases 1 and -1.
// The expected values are PyTorch's.
// RUN: %python %S/Inputs/arrays.py write %t.npz arg0=i8:8:2,0,-1,1,3,2,-1,-3 arg1=i8:8:5,0,-3,-5,45,-1,-2,3 arg2=u1:2:2,255 arg3=u1:2:9,3
// RUN: kernelclaw-run %s --device=cpu --args %t.npz --out %t.out.npz
// RUN: %python %S/Inputs/arrays.py read %t.out.npz | FileCheck %s
// CHECK: res0 int64 [32 1 -1 1 2833654757305440083 0 1 -27]
// CHECK: res1 int64 [128 0 -1 1 2187 128 -1 -2187]
// CHECK: res2 int64 [243 1 0 0 2833654757305440083 0 0 27]
// CHECK: res3 uint8 [0 255]
// CHECK: res4 int64 [16 0 -8 8 24 16 -8 -24]
func.func @main(%a: !torch.vtensor<[8],si64>, %b: !torch.vtensor<[8],si64>, %c: !torch.vtensor<[2],ui8>, %d: !torch.vtensor<[2],ui8>) -> (!torch.vtensor<[8],si64>, !torch.vtensor<[8],si64>, !torch.vtensor<[8],si64>, !torch.vtensor<[2],ui8>, !torch.vtensor<[8],si64>) {
  %int3 = torch.constant.int 3
  %int7 = torch.constant.int 7
  %0 = torch.aten.pow.Tensor_Tensor %a, %b : !torch.vtensor<[8],si64>, !torch.vtensor<[8],si64> -> !torch.vtensor<[8],si64>
  %1 = torch.aten.pow.Tensor_Scalar %a, %int7 : !torch.vtensor<[8],si64>, !torch.int -> !torch.vtensor<[8],si64>
  %2 = torch.aten.pow.Scalar %int3, %b : !torch.int, !torch.vtensor<[8],si64> -> !torch.vtensor<[8],si64>
  %3 = torch.aten.pow.Tensor_Tensor %c, %d : !torch.vtensor<[2],ui8>, !torch.vtensor<[2],ui8> -> !torch.vtensor<[2],ui8>
  %4 = torch.aten.__lshift__.Scalar %a, %int3 : !torch.vtensor<[8],si64>, !torch.int -> !torch.vtensor<[8],si64>
  return %0, %1, %2, %3, %4 : !torch.vtensor<[8],si64>, !torch.vtensor<[8],si64>, !torch.vtensor<[8],si64>, !torch.vtensor<[2],ui8>, !torch.vtensor<[8],si64>
}
