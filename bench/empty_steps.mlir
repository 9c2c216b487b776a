// Entries whose kernels do nothing, for bench/launch_overhead.cpp:
//   kernelclaw-opt bench/empty_steps.mlir --kclaw-lower=device=cuda --emit=so -o libempty_steps.so
gpu.binary @bin [#gpu.object<#nvvm.target<chip = "sm_70">, bin = ".version 7.0\0A.target sm_70\0A.address_size 64\0A.visible .entry empty(.param .u64 x, .param .u64 y)\0A{ ret; }\0A">]

func.func @one_step(%x: memref<4xf32>, %y: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  return
}

func.func @sixteen_steps(%x: memref<4xf32>, %y: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  claw.kernel_step @bin::@empty grid(%c1, %c1, %c1) block(%c1, %c1, %c1) cluster(%c1, %c1, %c1) shared %none args(%x, %y : memref<4xf32>, memref<4xf32>) offsets(%zero, %zero)
  return
}
