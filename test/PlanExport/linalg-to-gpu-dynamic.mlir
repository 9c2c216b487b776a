// Dynamic sizes: kernels take the base pointer and each distinct size by value.
// RUN: kernelclaw-opt --kclaw-linalg-to-gpu --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @pointwise
// CHECK-SAME: (%[[X:.*]]: memref<?x50xf32>, %[[OUT:.*]]: memref<?x50xf32>) -> index
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: %[[BASE:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [], strides: []
// CHECK: %[[ALL:.*]] = affine.apply {{.*}}()[%[[N]]]
// CHECK: %[[BLOCKS:.*]] = affine.apply {{.*}}()[%[[N]]]
// CHECK: gpu.launch_func {{.*}} blocks in (%[[BLOCKS]],
// CHECK-SAME: args(%[[BASE]] : memref<f32>, %[[N]] : index, %{{.*}} : memref<f32>, %[[ALL]] : index)
// CHECK: return %[[N]] : index
// CHECK: gpu.func @pointwise_0_map(%{{.*}}: memref<f32>, %[[ROWS:.*]]: index, %{{.*}}: memref<f32>, %[[COUNT:.*]]: index)
// CHECK: memref.reinterpret_cast {{.*}} sizes: [%[[ROWS]], 50], strides: [50, 1]
// CHECK: arith.cmpi ult, %{{.*}}, %[[COUNT]]
func.func @pointwise(%x: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x50xf32>
  %e = tensor.empty(%n) : tensor<?x50xf32>
  %0 = linalg.exp ins(%x : tensor<?x50xf32>) outs(%e : tensor<?x50xf32>) -> tensor<?x50xf32>
  return %0 : tensor<?x50xf32>
}

// -----

// The slice of a dynamic size at a dynamic place: its offset is an argument.
// CHECK-LABEL: func.func @slice
// CHECK: gpu.func @slice_0_map(%[[IN:.*]]: memref<f32>, %[[AT:.*]]: index, %[[LEFT:.*]]: index, %[[OUT:.*]]: memref<f32>,
// CHECK-DAG: memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [%[[LEFT]], 8], strides: [8, 1]
// CHECK-DAG: memref.reinterpret_cast %[[IN]] to offset: [%[[AT]]], sizes: [%[[LEFT]], 8], strides: [8, 1]
func.func @slice(%x: tensor<?x8xf32>, %at: i64) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %i = arith.index_cast %at : i64 to index
  %m = arith.subi %n, %i : index
  %0 = tensor.extract_slice %x[%i, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// A dynamic contraction is tiled, with guards on every side that is dynamic.
// CHECK-LABEL: gpu.func @matmul_0_tiled
// CHECK-SAME: (%[[A:.*]]: memref<f32>, %[[M:.*]]: index, %[[K:.*]]: index, %[[B:[a-z0-9]+]]: memref<f32>,
// CHECK: scf.for %{{.*}} to %[[K]] step
// CHECK-DAG: %[[ROW:.*]] = arith.cmpi ult, %{{.*}}, %[[M]] : index
// CHECK-DAG: %[[DEPTH:.*]] = arith.cmpi ult, %{{.*}}, %[[K]] : index
// CHECK: %[[BOTH:.*]] = arith.andi %[[ROW]], %[[DEPTH]]
// CHECK: scf.if %[[BOTH]]
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x64xf32>) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
