// Indices that are out of range are an error of the call on the CPU. Negative
// ones count from the end in index.Tensor alone, as in PyTorch.
// RUN: %python %S/Inputs/arrays.py write %t.last.npz arg0=f4:3x2 arg1=i8:2:-1,-3
// RUN: kernelclaw-run %s --device=cpu --entry index --args %t.last.npz --out %t.out.npz
// RUN: %python %S/Inputs/arrays.py read %t.out.npz | FileCheck %s --check-prefix=WRAPPED
// WRAPPED: res0 float32 [4. 5. 0. 1.]
// RUN: %python %S/Inputs/arrays.py write %t.low.npz arg0=f4:3x2 arg1=i8:2:0,-4
// RUN: not kernelclaw-run %s --device=cpu --entry index --args %t.low.npz 2>&1 | FileCheck %s --check-prefix=LOW
// LOW: aten.index.Tensor_hacked_twin: index -4 (in argument 1) is out of bounds for dimension 0 with size 3 (dimension 0 of argument 0)
func.func @index(%x: !torch.vtensor<[?,2],f32>, %i: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,2],f32> {
  %list = torch.prim.ListConstruct %i : (!torch.vtensor<[?],si64>) -> !torch.list<vtensor>
  %0 = torch.aten.index.Tensor_hacked_twin %x, %list : !torch.vtensor<[?,2],f32>, !torch.list<vtensor> -> !torch.vtensor<[?,2],f32>
  return %0 : !torch.vtensor<[?,2],f32>
}

// RUN: not kernelclaw-run %s --device=cpu --entry index_select --args %t.last.npz 2>&1 | FileCheck %s --check-prefix=SELECT
// SELECT: aten.index_select: index -3 (in argument 1) is out of bounds for dimension 0 with size 3 (dimension 0 of argument 0)
func.func @index_select(%x: !torch.vtensor<[?,2],f32>, %i: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,2],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.index_select %x, %int0, %i : !torch.vtensor<[?,2],f32>, !torch.int, !torch.vtensor<[?],si64> -> !torch.vtensor<[?,2],f32>
  return %0 : !torch.vtensor<[?,2],f32>
}

// RUN: %python %S/Inputs/arrays.py write %t.high.npz arg0=f4:3x2 arg1=i8:2:4000000000000,1
// RUN: not kernelclaw-run %s --device=cpu --entry embedding --args %t.high.npz 2>&1 | FileCheck %s --check-prefix=EMBEDDING
// EMBEDDING: aten.embedding: index 4000000000000 (in argument 1 'ids') is out of bounds for dimension 0 with size 3
// An index that is smallest of all is one, too.
// RUN: %python %S/Inputs/arrays.py write %t.smallest.npz arg0=f4:3x2 arg1=i8:2:-9223372036854775808,1
// RUN: not kernelclaw-run %s --device=cpu --entry embedding --args %t.smallest.npz 2>&1 | FileCheck %s --check-prefix=SMALLEST
// SMALLEST: aten.embedding: index -92233720368547758{{..}} (in argument 1 'ids') is out of bounds
func.func @embedding(%x: !torch.vtensor<[3,2],f32>, %i: !torch.vtensor<[2],si64> {claw.name = "ids"}) -> !torch.vtensor<[2,2],f32> {
  %minus1 = torch.constant.int -1
  %false = torch.constant.bool false
  %0 = torch.aten.embedding %x, %i, %minus1, %false, %false : !torch.vtensor<[3,2],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,2],f32>
  return %0 : !torch.vtensor<[2,2],f32>
}

// RUN: %python %S/Inputs/arrays.py write %t.gather.npz arg0=f4:3x2 arg1=i8:1x2:3,0
// RUN: not kernelclaw-run %s --device=cpu --entry gather --args %t.gather.npz 2>&1 | FileCheck %s --check-prefix=GATHER
// GATHER: aten.gather: index 3 (in argument 1) is out of bounds for dimension 0 with size 3 (dimension 0 of argument 0)
// The index may be smaller than the tensor, not larger.
// RUN: %python %S/Inputs/arrays.py write %t.wide.npz arg0=f4:3x2 arg1=i8:1x3:0,0,0
// RUN: not kernelclaw-run %s --device=cpu --entry gather --args %t.wide.npz 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: aten.gather: a dim of size 2 (dimension 1 of argument 0) is less than that of the index, 3 (dimension 1 of argument 1)
func.func @gather(%x: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[?,?],si64>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %0 = torch.aten.gather %x, %int0, %i, %false : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?,?],si64>, !torch.bool -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// RUN: %python %S/Inputs/arrays.py write %t.scatter.npz arg0=f4:3x2 arg1=i8:1x2:0,3 arg2=f4:1x2
// RUN: not kernelclaw-run %s --device=cpu --entry scatter --args %t.scatter.npz 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: aten.scatter.src: index 3 (in argument 1) is out of bounds for dimension 0 with size 3 (dimension 0 of argument 0)
// Without an index nothing moves, and nothing is read.
// RUN: %python %S/Inputs/arrays.py write %t.none.npz arg0=f4:3x2 arg1=i8:2x0 arg2=f4:2x0
// RUN: kernelclaw-run %s --device=cpu --entry scatter --args %t.none.npz --out %t.none.out.npz
// RUN: %python %S/Inputs/arrays.py read %t.none.out.npz | FileCheck %s --check-prefix=NONE
// NONE: res0 float32 [0. 1. 2. 3. 4. 5.]
func.func @scatter(%x: !torch.vtensor<[?,?],f32>, %i: !torch.vtensor<[?,?],si64>, %s: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.scatter.src %x, %int0, %i, %s : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?,?],si64>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}
