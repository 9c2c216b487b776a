// Dynamic dimensions: grids, workspaces and kernel arguments are expressions
// over the spec's names. Scalars are arguments by value.
// RUN: kernelclaw-opt --kclaw-export-plan --split-input-file %s -o /dev/null | FileCheck %s
// RUN: kernelclaw-opt --kclaw-export-plan=producer=reference --split-input-file %s -o /dev/null | FileCheck %s

func.func @pointwise(%x: !torch.vtensor<[?,257],f32>) -> !torch.vtensor<[?,257],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[?,257],f32> -> !torch.vtensor<[?,257],f32>
  return %0 : !torch.vtensor<[?,257],f32>
}

// -----

func.func @scalars(%x: !torch.vtensor<[8],f32>, %a: !torch.float, %b: !torch.int) -> !torch.vtensor<[8],f32> {
  %0 = torch.aten.mul.Scalar %x, %a : !torch.vtensor<[8],f32>, !torch.float -> !torch.vtensor<[8],f32>
  %1 = torch.aten.mul.Scalar %0, %b : !torch.vtensor<[8],f32>, !torch.int -> !torch.vtensor<[8],f32>
  return %1 : !torch.vtensor<[8],f32>
}

// -----

func.func @product(%x: !torch.vtensor<[?,?,29],f32>, %w: !torch.vtensor<[29,51],f32>) -> !torch.vtensor<[?,51],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %n = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?,29],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %x, %int1 : !torch.vtensor<[?,?,29],f32>, !torch.int -> !torch.int
  %nm = torch.aten.mul.int %n, %m : !torch.int, !torch.int -> !torch.int
  %int29 = torch.constant.int 29
  %l = torch.prim.ListConstruct %nm, %int29 : (!torch.int, !torch.int) -> !torch.list<int>
  %v = torch.aten.view %x, %l : !torch.vtensor<[?,?,29],f32>, !torch.list<int> -> !torch.vtensor<[?,29],f32>
  %0 = torch.aten.mm %v, %w : !torch.vtensor<[?,29],f32>, !torch.vtensor<[29,51],f32> -> !torch.vtensor<[?,51],f32>
  return %0 : !torch.vtensor<[?,51],f32>
}

// -----

func.func @softmax(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.softmax.int %x, %int1, %none : !torch.vtensor<[?,?],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}
