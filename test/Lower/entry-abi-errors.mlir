// What kclaw-lower says about modules that it cannot lower.
// RUN: kernelclaw-opt %s --kclaw-lower=device=cuda --split-input-file --verify-diagnostics

// expected-error @+1 {{no public function to make an entry of}}
module {
  func.func private @only(%x: memref<4xf32>)
}

// -----

func.func @main(%x: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  // expected-error @+1 {{kernel @bin::@square is not @binary::@entry of a gpu.binary here}}
  claw.kernel_step @bin::@square grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %c0 args(%x : memref<4xf32>) offsets(%zero)
  return
}

// -----

// expected-error @+1 {{argument 0 has element type 'i7', which the entry ABI does not know}}
func.func @main(%x: memref<4xi7>, %y: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  return
}
