// Dynamic dimensions: grids, workspaces and kernel arguments are expressions
// over the spec's names. Scalars are arguments by value.
// RUN: kernelclaw-opt --kclaw-export-plan --split-input-file %s -o /dev/null | FileCheck %s
// RUN: kernelclaw-opt --kclaw-export-plan=producer=reference --split-input-file %s -o /dev/null | FileCheck %s

// CHECK-LABEL: "entry": "pointwise_0_map"
// CHECK: "grid": [
// CHECK-NEXT: "ceildiv(d0 * 257, 256)"
// CHECK: "buffer": "arg0"
// CHECK: "i64": "d0"
// CHECK: "buffer": "res0"
// CHECK: "i64": "d0 * 257"
// CHECK: "resizable": true
func.func @pointwise(%x: !torch.vtensor<[?,257],f32>) -> !torch.vtensor<[?,257],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[?,257],f32> -> !torch.vtensor<[?,257],f32>
  return %0 : !torch.vtensor<[?,257],f32>
}

// -----

// CHECK-LABEL: "entry": "scalars_0_map"
// CHECK: "f64": "arg1"
// CHECK: "i64": "arg2"
// CHECK: "resizable": false
func.func @scalars(%x: !torch.vtensor<[8],f32>, %a: !torch.float, %b: !torch.int) -> !torch.vtensor<[8],f32> {
  %0 = torch.aten.mul.Scalar %x, %a : !torch.vtensor<[8],f32>, !torch.float -> !torch.vtensor<[8],f32>
  %1 = torch.aten.mul.Scalar %0, %b : !torch.vtensor<[8],f32>, !torch.int -> !torch.vtensor<[8],f32>
  return %1 : !torch.vtensor<[8],f32>
}

// -----

// CHECK-LABEL: "entry": "product_
// CHECK: "ceildiv(d0 * d1, 64)"
// CHECK: "i64": "d0 * d1"
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

// A block a row, and a workspace that grows with the rows.
// CHECK-LABEL: "sizeBytes": "d0 * {{[48]}}"
// CHECK: "entry": "softmax_0_reduce_block"
// CHECK: "grid": [
// CHECK-NEXT: "d0"
// CHECK: "i64": "d1"
// CHECK: "entry": "softmax_2_map"
// CHECK: "ceildiv(d0 * d1, 256)"
func.func @softmax(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.softmax.int %x, %int1, %none : !torch.vtensor<[?,?],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}
