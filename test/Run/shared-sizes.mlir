// Sizes that the ops make equal are one symbol of the entry: a call where they
// differ is refused before anything runs.
// RUN: kernelclaw-opt %s --llm-optimize=device=cpu -o %t.lowered.mlir
// RUN: %python %S/Inputs/arrays.py write %t.good.npz arg0=f4:3x4 arg1=f4:3x4
// RUN: %python %S/Inputs/arrays.py write %t.bad.npz arg0=f4:3x4 arg1=f4:2x4
// RUN: kernelclaw-run %t.lowered.mlir --args %t.good.npz
// RUN: not kernelclaw-run %t.lowered.mlir --args %t.bad.npz 2>&1 | FileCheck %s
// CHECK: argument 1 has size 2 in dimension 0; it must equal 3, the size of dimension 0 of argument 0
func.func @main(%x: !torch.vtensor<[?,4],f32>, %y: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %x, %y, %int1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %0 : !torch.vtensor<[?,4],f32>
}
