// Views and affine ops become one cast with computed offsets, sizes, strides;
// blocks stay as they are, even those that could be merged.
// RUN: kernelclaw-opt %s --kclaw-expand-memrefs | FileCheck %s

// CHECK-LABEL: func.func @view
// CHECK-NOT: memref.subview
// CHECK-NOT: affine.
// CHECK: memref.reinterpret_cast
// CHECK: cf.br
// CHECK: memref.load
func.func @view(%m: memref<8x?xf32>, %i: index) -> f32 {
  %at = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)
  %row = memref.subview %m[%at, 0] [1, 4] [1, 1] : memref<8x?xf32> to memref<1x4xf32, strided<[?, 1], offset: ?>>
  cf.br ^next
^next:
  %c0 = arith.constant 0 : index
  %x = memref.load %row[%c0, %i] : memref<1x4xf32, strided<[?, 1], offset: ?>>
  return %x : f32
}

// CHECK-LABEL: func.func @collapsed
// CHECK-NOT: memref.collapse_shape
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [12], strides: [1]
func.func @collapsed(%m: memref<3x4xf32>) -> memref<12xf32> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  return %0 : memref<12xf32>
}
