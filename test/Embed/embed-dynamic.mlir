// Dynamic sizes: grids and arguments are code over the call's dimensions, the
// entry allocates by them and returns the sizes of its results.
// RUN: kernelclaw-opt --kclaw-embed-stock %s | FileCheck %s
// RUN: kernelclaw-opt --kclaw-embed-stock --kclaw-lower=device=cuda %s | FileCheck %s --check-prefix=LOWERED

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[S:.*]]: f64, %[[R:.*]]: memref<?x8xf32>) -> index
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: %[[T:.*]] = memref.alloc(%[[N]]) {alignment = 256 : i64} : memref<?x8xf32>
// CHECK: call @region0(%[[X]], %[[S]], %[[T]])
// CHECK: call @region0(%[[T]], %[[S]], %[[R]])
// CHECK: return %[[N]] : index
func.func @main(%x: !torch.vtensor<[?,8],f32>, %s: !torch.float) -> !torch.vtensor<[?,8],f32> {
  %0 = call @region0(%x, %s) : (!torch.vtensor<[?,8],f32>, !torch.float) -> !torch.vtensor<[?,8],f32>
  %1 = call @region0(%0, %s) : (!torch.vtensor<[?,8],f32>, !torch.float) -> !torch.vtensor<[?,8],f32>
  return %1 : !torch.vtensor<[?,8],f32>
}

// CHECK-LABEL: func.func private @region0(
// CHECK-SAME: %[[IN:.*]]: memref<?x8xf32>, %[[F:.*]]: f64, %[[OUT:.*]]: memref<?x8xf32>)
// CHECK: %[[D:.*]] = memref.dim %[[IN]]
// CHECK: %[[GRID:.*]] = arith.ceildivsi %[[D]]
// CHECK: claw.kernel_step @region0_stock::@region0_0_map grid(%[[GRID]],
func.func private @region0(%x: !torch.vtensor<[?,8],f32>, %s: !torch.float) -> !torch.vtensor<[?,8],f32> attributes {claw.region = #claw.region<"op", "pointwise", 1>} {
  %0 = torch.aten.mul.Scalar %x, %s : !torch.vtensor<[?,8],f32>, !torch.float -> !torch.vtensor<[?,8],f32>
  return %0 : !torch.vtensor<[?,8],f32>
}

// LOWERED-LABEL: llvm.func @main(
// LOWERED: llvm.call @main__shapes
// LOWERED: llvm.call @kclCheckResultSizes
// LOWERED-LABEL: llvm.func internal @main__body
// LOWERED: llvm.call @kclStepKernel
