// Empty tensors join, are stacked and are cut.
// RUN: %python %S/Inputs/arrays.py write %t.npz arg0=f4:3x2 arg1=f4:0x2
// RUN: kernelclaw-run %s --device=cpu --args %t.npz --out %t.out.npz | FileCheck %s
// RUN: %python %S/Inputs/arrays.py read %t.out.npz | FileCheck %s --check-prefix=VALUES
// CHECK: res0: f32[3,2]
// CHECK: res1: f32[2,0,2]
// CHECK: res2: f32[0,2]
// CHECK: res3: f32[0,2]
// VALUES: res0 float32 [0. 1. 2. 3. 4. 5.]
func.func @main(%a: !torch.vtensor<[3,2],f32>, %b: !torch.vtensor<[0,2],f32>) -> (!torch.vtensor<[3,2],f32>, !torch.vtensor<[2,0,2],f32>, !torch.vtensor<[0,2],f32>, !torch.vtensor<[0,2],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int9 = torch.constant.int 9
  %ab = torch.prim.ListConstruct %b, %a, %b : (!torch.vtensor<[0,2],f32>, !torch.vtensor<[3,2],f32>, !torch.vtensor<[0,2],f32>) -> !torch.list<vtensor>
  %0 = torch.aten.cat %ab, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[3,2],f32>
  %bb = torch.prim.ListConstruct %b, %b : (!torch.vtensor<[0,2],f32>, !torch.vtensor<[0,2],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.stack %bb, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[2,0,2],f32>
  %2 = torch.aten.cat %bb, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[0,2],f32>
  %3 = torch.aten.slice.Tensor %b, %int0, %int0, %int9, %int1 : !torch.vtensor<[0,2],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[0,2],f32>
  return %0, %1, %2, %3 : !torch.vtensor<[3,2],f32>, !torch.vtensor<[2,0,2],f32>, !torch.vtensor<[0,2],f32>, !torch.vtensor<[0,2],f32>
}
