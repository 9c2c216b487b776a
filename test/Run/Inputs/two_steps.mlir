// An entry of two kernel steps, and one of one; for the recording driver, whose
// kernels do nothing.
module attributes {claw.graph} {
gpu.binary @bin [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "\7FELF">]

func.func @two(%x: memref<4xf32>, %y: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %t = memref.alloc() : memref<4xf32>
  claw.kernel_step @bin::@first grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %t : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@second grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%t, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  return
}

func.func @one(%x: memref<4xf32>, %y: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  claw.kernel_step @bin::@first grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  return
}
}
