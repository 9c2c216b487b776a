// Dynamic sizes keep one name across regions where ops or symbols tie them; a
// product of sizes keeps its region stock.
// RUN: kernelclaw-opt %s --kclaw-outline=granularity=op -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: kernelclaw-opt %t.mlir --kclaw-dump-specs -o /dev/null 2> %t.remarks | FileCheck %s --check-prefix=SPEC
// RUN: FileCheck %s --check-prefix=STOCK < %t.remarks

// CHECK: func.func private @tied_region_0(%arg0: !torch.vtensor<[?,?],f32> {claw.dims = ["n0:2:64", "n1"]}) -> (!torch.vtensor<[?,?],f32> {claw.dims = ["n0:2:64", "n1"]})
// CHECK: func.func private @tied_region_1(%arg0: !torch.vtensor<[?,?],f32> {claw.dims = ["n0:2:64", "n1"]}, %arg1: !torch.vtensor<[?],f32> {claw.dims = ["n1"]})
// SPEC: "max": 64,
// SPEC: "min": 2,
// SPEC: "name": "d0"
func.func @tied(%x: !torch.vtensor<[?,?],f32>, %b: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?],f32> {
  %s = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
  %t = torch.symbolic_int "s1" {min_val = 2, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %x, [%s, %t], affine_map<()[s0, s1] -> (s0, s1 * 2)> : !torch.vtensor<[?,?],f32>
  %int1 = torch.constant.int 1
  %0 = torch.aten.exp %x : !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  %1 = torch.aten.add.Tensor %0, %b, %int1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?,?],f32>
  return %1 : !torch.vtensor<[?,?],f32>
}

// STOCK: remark: region 'product_region_0' stays stock: a dynamic size of '!torch.vtensor<[?],f32>' is not the size of one of its arguments
func.func @product(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %n = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %m = torch.aten.size.int %x, %int1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %nm = torch.aten.mul.int %n, %m : !torch.int, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %nm : (!torch.int) -> !torch.list<int>
  %v = torch.aten.view %x, %l : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  %0 = torch.aten.exp %v : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}
