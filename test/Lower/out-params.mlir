// Results become arguments: an allocation in place; the same value twice, an
// argument and a scalar by copy.
// RUN: kernelclaw-opt %s --kclaw-out-params --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[N:.*]]: i64, %[[R0:.*]]: memref<4xf32>, %[[R1:.*]]: memref<4xf32>, %[[R2:.*]]: memref<4xf32>, %[[R3:.*]]: memref<i64> {claw.scalar})
// CHECK-SAME: claw.num_results = 4
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp ins(%[[X]] : memref<4xf32>) outs(%[[R0]] : memref<4xf32>)
// CHECK: memref.copy %[[R0]], %[[R1]]
// CHECK: memref.copy %[[X]], %[[R2]]
// CHECK: memref.store %[[N]], %[[R3]][]
func.func @main(%x: memref<4xf32>, %n: i64) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, i64) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  return %a, %a, %x, %n : memref<4xf32>, memref<4xf32>, memref<4xf32>, i64
}

// -----

// Dynamic sizes of results are a function of the arguments.
// CHECK-LABEL: func.func private @main__shapes
// CHECK-SAME: (%[[X:.*]]: memref<?x3xf32>) -> index
// CHECK: %[[D:.*]] = memref.dim %[[X]]
// CHECK: return %[[D]]
func.func @main(%x: memref<?x3xf32>) -> memref<?x3xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?x3xf32>
  %a = memref.alloc(%d) : memref<?x3xf32>
  linalg.exp ins(%x : memref<?x3xf32>) outs(%a : memref<?x3xf32>)
  return %a : memref<?x3xf32>
}

// -----

// An entry that has its result arguments already says their sizes by what it
// returns; NAME__shapes takes the arguments alone.
// CHECK-LABEL: func.func private @main__shapes
// CHECK-SAME: (%[[X:.*]]: memref<?x3xf32>) -> index
// CHECK: %[[D:.*]] = memref.dim %[[X]]
// CHECK: return %[[D]]
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%{{.*}}: memref<?x3xf32>, %{{.*}}: memref<?xf32>) attributes
// CHECK: return{{$}}
func.func @main(%x: memref<?x3xf32>, %y: memref<?xf32>) -> index attributes {claw.num_results = 1 : i64} {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?x3xf32>
  return %d : index
}

// -----

func.func @main(%x: memref<1xindex>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.load %x[%c0] : memref<1xindex>
  // expected-error @+1 {{size depends on data, not only on the shapes of the arguments}}
  %a = memref.alloc(%d) : memref<?xf32>
  return %a : memref<?xf32>
}

// -----

// expected-error @+1 {{result 0 has type 'i32'; a tensor or a Torch scalar (i64, f64, i1) expected}}
func.func @main() -> i32 {
  %c = arith.constant 1 : i32
  return %c : i32
}
