// Torch scalars as arguments are rank-0 host tensors; u8 stays unsigned.
// RUN: %python %S/Inputs/arrays.py write %t.npz arg0=u1:4 arg1=i8: arg2=f8: arg3=b1:
// RUN: kernelclaw-run %s --device=cpu --args %t.npz | FileCheck %s
// RUN: %python %S/Inputs/arrays.py write %t.bad.npz arg0=i1:4 arg1=i8: arg2=f8: arg3=b1:
// RUN: not kernelclaw-run %s --device=cpu --args %t.bad.npz 2>&1 | FileCheck %s --check-prefix=SIGN

// CHECK: res0: u8[4]
// CHECK: res1: i64[]
// SIGN: argument 0 has dtype i8, u8 expected
func.func @main(%arg0: !torch.vtensor<[4],ui8>, %arg1: !torch.int, %arg2: !torch.float, %arg3: !torch.bool) -> (!torch.vtensor<[4],ui8>, !torch.int) {
  return %arg0, %arg1 : !torch.vtensor<[4],ui8>, !torch.int
}
