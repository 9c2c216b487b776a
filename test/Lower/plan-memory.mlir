// Temporaries share one arena by liveness; dynamic ones follow; a temporary
// that outlives its loop iteration is an error.
// RUN: kernelclaw-opt %s --kclaw-plan-memory --split-input-file --verify-diagnostics | FileCheck %s

// %a and %c are never live together, so the arena holds two buffers, not three.
// CHECK-LABEL: func.func private @main__arena
// CHECK: %[[T:.*]] = arith.constant 2048 : index
// CHECK: return %[[T]]
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<?xi8>)
// CHECK: %[[A:.*]] = memref.view %[[ARENA]][%[[OA:.*]]][] : memref<?xi8> to memref<256xf32>
// CHECK: %[[B:.*]] = memref.view %[[ARENA]]
// CHECK: %[[C:.*]] = memref.view %[[ARENA]]
// CHECK-NOT: memref.alloc
func.func @main(%x: memref<256xf32>, %y: memref<256xf32>) attributes {claw.num_results = 1 : i64} {
  %a = memref.alloc() : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  %b = memref.alloc() : memref<256xf32>
  linalg.exp ins(%a : memref<256xf32>) outs(%b : memref<256xf32>)
  %c = memref.alloc() : memref<256xf32>
  linalg.exp ins(%b : memref<256xf32>) outs(%c : memref<256xf32>)
  linalg.exp ins(%c : memref<256xf32>) outs(%y : memref<256xf32>)
  return
}

// -----

// A view keeps its buffer alive.
// CHECK-LABEL: func.func private @main__arena
// CHECK: arith.constant 2048 : index
func.func @main(%x: memref<256xf32>, %y: memref<256xf32>) attributes {claw.num_results = 1 : i64} {
  %a = memref.alloc() : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  %v = memref.expand_shape %a [[0, 1]] output_shape [16, 16] : memref<256xf32> into memref<16x16xf32>
  %b = memref.alloc() : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%b : memref<256xf32>)
  %w = memref.collapse_shape %v [[0, 1]] : memref<16x16xf32> into memref<256xf32>
  linalg.add ins(%w, %b : memref<256xf32>, memref<256xf32>) outs(%y : memref<256xf32>)
  return
}

// -----

// CHECK-LABEL: func.func private @main__arena
// CHECK: memref.dim
// CHECK: arith.muli
// CHECK: arith.ceildivui
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) attributes {claw.num_results = 1 : i64} {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%a : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----

// The size of a temporary that is a size of another temporary.
// CHECK-LABEL: func.func private @main__arena
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<?xf32>,
// CHECK: memref.dim %[[X]]
// CHECK-NOT: memref.view
// CHECK: return
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) attributes {claw.num_results = 1 : i64} {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %e = memref.dim %a, %c0 : memref<?xf32>
  %b = memref.alloc(%e) : memref<?xf32>
  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.exp ins(%b : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %x) -> memref<4xf32> {
    // expected-error @+1 {{temporary of one loop iteration is handed to the next}}
    %a = memref.alloc() : memref<4xf32>
    linalg.exp ins(%acc : memref<4xf32>) outs(%a : memref<4xf32>)
    scf.yield %a : memref<4xf32>
  }
  linalg.copy ins(%r : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
