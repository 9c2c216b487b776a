// Sizes beyond what 64 bits or the machine hold: an error that says what was
// asked, exit code 1, no crash.
// RUN: rm -rf %t && mkdir -p %t && split-file %s %t
// RUN: sh -c 'kernelclaw-run %t/static.mlir --device=cpu; echo code $?' 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: sh -c 'kernelclaw-run %t/argument.mlir --device=cpu; echo code $?' 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: sh -c 'kernelclaw-run %t/memory.mlir --device=cpu; echo code $?' 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %python %S/Inputs/arrays.py write %t/x.npz arg0=f4:131072
// RUN: sh -c 'kernelclaw-run %t/result.mlir --device=cpu --args %t/x.npz; echo code $?' 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: sh -c 'kernelclaw-run %t/bytes.mlir --device=cpu --args %t/x.npz; echo code $?' 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: sh -c 'kernelclaw-run %t/workspace.mlir --device=cpu --args %t/x.npz; echo code $?' 2>&1 | FileCheck %s --check-prefix=WORKSPACE
// RUN: %python %S/Inputs/arrays.py write %t/small.npz arg0=f4:3
// RUN: kernelclaw-run %t/workspace.mlir --device=cpu --args %t/small.npz | FileCheck %s --check-prefix=SMALL

// STATIC: static.mlir:6:8: error: cannot lower '!torch.vtensor<[1099511627776,1099511627776],f32>': it has more than 2^63-1 bytes
// STATIC: code 1
// ARGUMENT: argument.mlir:1:17: error: cannot lower '!torch.vtensor<[?,4611686018427387904],f32>': it has more than 2^63-1 bytes
// ARGUMENT: code 1
// MEMORY: memory.mlir: result 0, f32[1099511627776,1048576]: no host memory for 4611686018427387904 bytes
// MEMORY: code 1
// RESULT: main_shapes failed: a dimension of a result would be more than 2^63-1 with arguments of shape [131072]
// RESULT: code 1
// BYTES: result 0: f32[131072,131072,131072,131072] has more than 2^63-1 bytes
// BYTES: code 1
// WORKSPACE: main_workspace failed: the workspace would have more than 2^63-1 bytes with arguments of shape [131072]
// WORKSPACE: code 1
// SMALL: workspace 512 bytes
// SMALL: res0: f32[]

//--- static.mlir
func.func @main() -> !torch.vtensor<[1099511627776,1099511627776],f32> {
  %f = torch.constant.float 1.0
  %none = torch.constant.none
  %i = torch.constant.int 1099511627776
  %l = torch.prim.ListConstruct %i, %i : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.full %l, %f, %none, %none, %none, %none : !torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[1099511627776,1099511627776],f32>
  return %0 : !torch.vtensor<[1099511627776,1099511627776],f32>
}

//--- argument.mlir
func.func @main(%x: !torch.vtensor<[?,4611686018427387904],f32>) -> !torch.vtensor<[?,4611686018427387904],f32> {
  return %x : !torch.vtensor<[?,4611686018427387904],f32>
}

//--- memory.mlir
func.func @main() -> !torch.vtensor<[1099511627776,1048576],f32> {
  %f = torch.constant.float 1.0
  %none = torch.constant.none
  %i = torch.constant.int 1099511627776
  %j = torch.constant.int 1048576
  %l = torch.prim.ListConstruct %i, %j : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.full %l, %f, %none, %none, %none, %none : !torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[1099511627776,1048576],f32>
  return %0 : !torch.vtensor<[1099511627776,1048576],f32>
}

//--- result.mlir
// One dimension that is a product.
func.func @main(%a: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %zero = torch.constant.int 0
  %three = torch.constant.int 3
  %n = torch.aten.size.int %a, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %n, %n, %n, %n : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.broadcast_to %a, %l : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<[?,?,?,?],f32>
  %1 = torch.aten.flatten.using_ints %0, %zero, %three : !torch.vtensor<[?,?,?,?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  %2 = torch.aten.relu %1 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %2 : !torch.vtensor<[?],f32>
}

//--- bytes.mlir
// Four dimensions that fit, whose product does not.
func.func @main(%a: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?,?,?,?],f32> {
  %zero = torch.constant.int 0
  %n = torch.aten.size.int %a, %zero : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %n, %n, %n, %n : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.broadcast_to %a, %l : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<[?,?,?,?],f32>
  return %0 : !torch.vtensor<[?,?,?,?],f32>
}

//--- workspace.mlir
// A temporary that is not among the results: linalg, so that nothing fuses it.
func.func @main(%a: tensor<?xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n, %n, %n, %n) : tensor<?x?x?x?xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<?xf32>) outs(%e : tensor<?x?x?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?x?xf32>
  %o = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<f32>) -> tensor<f32>
  // Read twice, through two maps.
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%wide, %wide : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
