// Reductions accumulate wider than they are stored, and round once.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg | FileCheck %s

// A long f32 sum accumulates in f64.
// CHECK-LABEL: func.func @mean(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins({{.*}} : tensor<4x60033xf32>) outs({{.*}} : tensor<4xf64>)
// CHECK: arith.extf {{.*}} : f32 to f64
// CHECK: arith.addf {{.*}} : f64
// CHECK: return {{.*}} : tensor<4x1xf32>
func.func @mean(%x: !torch.vtensor<[4,60033],f32>) -> !torch.vtensor<[4,1],f32> {
  %dim = torch.constant.int -1
  %dims = torch.prim.ListConstruct %dim : (!torch.int) -> !torch.list<int>
  %keep = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.mean.dim %x, %dims, %keep, %none : !torch.vtensor<[4,60033],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// A bf16 product accumulates in f32 and rounds after the bias.
// CHECK-LABEL: func.func @linear(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins({{.*}} : tensor<3x8xbf16>, tensor<5x8xbf16>) outs({{.*}} : tensor<3x5xf32>)
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: linalg.generic
// CHECK: arith.addf {{.*}} : f32
// CHECK-NEXT: arith.truncf {{.*}} : f32 to bf16
func.func @linear(%x: !torch.vtensor<[3,8],bf16>, %w: !torch.vtensor<[5,8],bf16>, %b: !torch.vtensor<[5],bf16>) -> !torch.vtensor<[3,5],bf16> {
  %0 = torch.aten.linear %x, %w, %b : !torch.vtensor<[3,8],bf16>, !torch.vtensor<[5,8],bf16>, !torch.vtensor<[5],bf16> -> !torch.vtensor<[3,5],bf16>
  return %0 : !torch.vtensor<[3,5],bf16>
}

// The identity of a ui8 minimum is 255.
// CHECK-LABEL: func.func @amin(
// CHECK: arith.constant -1 : i8
// CHECK: arith.minui
func.func @amin(%x: !torch.vtensor<[18],ui8>) -> !torch.vtensor<[],ui8> {
  %dim = torch.constant.int 0
  %dims = torch.prim.ListConstruct %dim : (!torch.int) -> !torch.list<int>
  %keep = torch.constant.bool false
  %0 = torch.aten.amin %x, %dims, %keep : !torch.vtensor<[18],ui8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],ui8>
  return %0 : !torch.vtensor<[],ui8>
}

// Softmax stores no row of exponentials: maximum, sum, one map.
// CHECK-LABEL: func.func @softmax(
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: math.exp
// CHECK: arith.divf
// CHECK-NOT: linalg.generic
func.func @softmax(%x: !torch.vtensor<[?,17],f32>) -> !torch.vtensor<[?,17],f32> {
  %dim = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.softmax.int %x, %dim, %none : !torch.vtensor<[?,17],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,17],f32>
  return %0 : !torch.vtensor<[?,17],f32>
}
