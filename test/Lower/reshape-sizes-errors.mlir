// The sizes of memref.reshape must be known before the call: two stores of one
// size, or a store to any position, leave that open.
// RUN: kernelclaw-opt %s --kclaw-out-params --split-input-file --verify-diagnostics

func.func @twice(%x: memref<?xf32>, %n: index, %m: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %shape = memref.alloc() : memref<1xindex>
  // expected-note @+1 {{this is not the only store of that size}}
  memref.store %n, %shape[%c0] : memref<1xindex>
  memref.store %m, %shape[%c0] : memref<1xindex>
  // expected-error @+2 {{takes size 0 from data; it must be known before the call}}
  // expected-error @+1 {{size depends on data, not only on the shapes of the arguments}}
  %r = memref.reshape %x(%shape) : (memref<?xf32>, memref<1xindex>) -> memref<?xf32>
  return %r : memref<?xf32>
}

// -----

func.func @anywhere(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %shape = memref.alloc() : memref<1xindex>
  // expected-note @+1 {{this may write any of its sizes}}
  memref.store %n, %shape[%n] : memref<1xindex>
  // expected-error @+2 {{takes size 0 from data; it must be known before the call}}
  // expected-error @+1 {{size depends on data, not only on the shapes of the arguments}}
  %r = memref.reshape %x(%shape) : (memref<?xf32>, memref<1xindex>) -> memref<?xf32>
  return %r : memref<?xf32>
}

// -----

func.func @given(%x: memref<?xf32>, %shape: memref<1xindex>) -> memref<?xf32> {
  // expected-error @+2 {{takes size 0 from data; it must be known before the call}}
  // expected-error @+1 {{size depends on data, not only on the shapes of the arguments}}
  %r = memref.reshape %x(%shape) : (memref<?xf32>, memref<1xindex>) -> memref<?xf32>
  return %r : memref<?xf32>
}
