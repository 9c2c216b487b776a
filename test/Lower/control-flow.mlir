// Nests, conditions and while loops become the branches that upstream's pass
// makes of them.
// RUN: kernelclaw-opt %s --kclaw-control-flow -o %t.ours
// RUN: kernelclaw-opt %s --convert-scf-to-cf -o %t.upstream
// RUN: diff %t.ours %t.upstream
// RUN: FileCheck %s --input-file=%t.ours

// CHECK-LABEL: func.func @many
// CHECK-NOT: scf.
// CHECK-COUNT-9: cf.br
// CHECK-NOT: scf.
func.func @many(%m: memref<4x4xf32>, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f32 {
    %row = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> f32 {
      %x = memref.load %m[%i, %j] : memref<4x4xf32>
      %y = arith.addf %b, %x : f32
      scf.yield %y : f32
    }
    scf.yield %row : f32
  }
  %chosen = scf.if %c -> f32 {
    scf.yield %sum : f32
  } else {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %sum, %m[%i, %c0] : memref<4x4xf32>
    }
    scf.yield %zero : f32
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %chosen, %m[%i, %j] : memref<4x4xf32>
    scf.reduce
  }
  %last = scf.while (%k = %chosen) : (f32) -> f32 {
    %less = arith.cmpf olt, %k, %sum : f32
    scf.condition(%less) %k : f32
  } do {
  ^bb0(%k: f32):
    %next = arith.addf %k, %k : f32
    scf.yield %next : f32
  }
  return %last : f32
}
