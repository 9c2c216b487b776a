// Each kind of kernel is chosen where it pays; start values are not filled.
// RUN: kernelclaw-opt --kclaw-linalg-to-gpu --split-input-file %s | FileCheck %s

// Pointwise ops fuse into one kernel that writes the result argument.
// CHECK-LABEL: func.func @pointwise
// CHECK-SAME: (%[[X:.*]]: memref<30x50xf32>, %[[OUT:.*]]: memref<30x50xf32>)
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @pointwise_kernels::@pointwise_0_map blocks in (%c6
// CHECK-SAME: args(%[[X]] : memref<30x50xf32>, %[[OUT]] : memref<30x50xf32>)
// CHECK-NEXT: return
// CHECK: gpu.func @pointwise_0_map
// CHECK: math.exp
// CHECK: arith.negf
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @pointwise(%x: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %e = tensor.empty() : tensor<30x50xf32>
  %0 = linalg.exp ins(%x : tensor<30x50xf32>) outs(%e : tensor<30x50xf32>) -> tensor<30x50xf32>
  %1 = linalg.negf ins(%0 : tensor<30x50xf32>) outs(%e : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %1 : tensor<30x50xf32>
}

// -----

// A contiguous row is reduced by a block in shared memory, not through global
// memory, and the zero is no kernel.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-1: gpu.launch_func @rows_kernels::@rows_0_reduce_block blocks in (%c7,
// CHECK: return
// CHECK: gpu.func @rows_0_reduce_block
// CHECK-SAME: workgroup(%{{.*}} : memref<256xf32, #gpu.address_space<workgroup>>)
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: memref.store {{.*}} memref<7xf32>
// CHECK: scf.yield
// CHECK-COUNT-8: gpu.barrier
func.func @rows(%x: tensor<7x300xf32>) -> tensor<7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<7x300xf32>) outs(%init : tensor<7xf32>) dimensions = [1]
  return %0 : tensor<7xf32>
}

// -----

// One output and a long reduction: chunks, then a second kernel.
// CHECK-LABEL: func.func @whole
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<244xf32>
// CHECK: gpu.launch_func @whole_kernels::@whole_0_reduce_chunk blocks in (%c244
// CHECK: gpu.launch_func @whole_kernels::@whole_1_reduce_block blocks in (%c1
// CHECK-SAME: args(%[[PARTS]]
func.func @whole(%x: tensor<1000000xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<1000000xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// -----

// Matmul goes through shared memory.
// CHECK-LABEL: func.func @matmul
// CHECK-COUNT-1: gpu.launch_func @matmul_kernels::@matmul_0_tiled blocks in (%c2,
// CHECK: gpu.func @matmul_0_tiled
// CHECK-SAME: workgroup(%{{.*}} : memref<1040xf32,
func.func @matmul(%a: tensor<70x33xf32>, %b: tensor<33x60xf32>) -> tensor<70x60xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x60xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<70x60xf32>) -> tensor<70x60xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<70x33xf32>, tensor<33x60xf32>) outs(%init : tensor<70x60xf32>) -> tensor<70x60xf32>
  return %0 : tensor<70x60xf32>
}

// -----

// A view is offset and strides inside the kernel; the argument is the base.
// CHECK-LABEL: func.func @slice
// CHECK: gpu.launch_func {{.*}} args(%arg0 : memref<8x8xf32>,
// CHECK: gpu.func
// CHECK: memref.reinterpret_cast %arg0 to offset: [10], sizes: [4, 4], strides: [8, 1]
func.func @slice(%x: tensor<8x8xf32>) -> tensor<4x4xf32> {
  %0 = tensor.extract_slice %x[1, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// More than 2^31 elements: coordinates are divided in 64 bits.
// CHECK-LABEL: gpu.func @huge_0_map
// CHECK-NOT: index to i32
// CHECK: arith.remui {{.*}} : index
func.func @huge(%x: tensor<65537x32768xbf16>) -> tensor<65537x32768xbf16> {
  %e = tensor.empty() : tensor<65537x32768xbf16>
  %0 = linalg.negf ins(%x : tensor<65537x32768xbf16>) outs(%e : tensor<65537x32768xbf16>) -> tensor<65537x32768xbf16>
  return %0 : tensor<65537x32768xbf16>
}
