// Claw steps become calls of the step ABI; kernels, guards and constants rows
// of the load table; nothing but the LLVM dialect is left.
// RUN: kernelclaw-opt %s --kclaw-lower=device=cuda | FileCheck %s
// RUN: kernelclaw-opt %s --kclaw-lower=device=cuda | FileCheck %s --check-prefix=LLVM
// LLVM-NOT: {{^ *(%[0-9]+ = )?(func|memref|gpu|claw|cf|arith|builtin)\.}}

// CHECK-DAG: llvm.mlir.global internal constant @bin_image
// CHECK-DAG: llvm.mlir.global internal @bin_module
// CHECK-DAG: llvm.mlir.global internal @square_function
// CHECK-DAG: llvm.mlir.global internal constant @kcl_table

memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
gpu.binary @bin [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "\7FELF">]

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {claw.num_results = 1 : i64} {
  %w = memref.get_global @weights : memref<4xf32>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %shared = arith.constant 1024 : index
  %zero = arith.constant 0 : i64
  %bytes = arith.constant 16 : i64
  %rows = arith.constant 1 : i64
  %n = arith.constant 4 : i32
  %t = memref.alloc() : memref<4xf32>
  claw.memset_step %t[%zero] bytes %bytes value 0 : memref<4xf32>
  %ok = claw.guard "sm_90a" align 16 (%x, %y : memref<4xf32>, memref<4xf32>)
  scf.if %ok {
    claw.kernel_step @bin::@square grid(%c1, %c1, %c1) block(%c4, %c1, %c1) cluster(%c1, %c1, %c1) shared %shared args(%x, %w, %t, %n : memref<4xf32>, memref<4xf32>, memref<4xf32>, i32) offsets(%zero, %zero, %zero, %zero)
  } else {
    claw.copy_step %x[%zero] pitch %bytes to %t[%zero] pitch %bytes row %bytes rows %rows : memref<4xf32>, memref<4xf32>
  }
  memref.copy %t, %y : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: llvm.func @main(
// CHECK: llvm.call @kclCheckTensors
// CHECK: llvm.call @kclCheckLoaded
// CHECK: llvm.call @kclCheckWorkspace
// CHECK: llvm.call @main__body
// CHECK-LABEL: llvm.func @main_workspace(
// CHECK-LABEL: llvm.func @main_shapes(
// CHECK-LABEL: llvm.func @main_persistent(
// CHECK-NOT: kclCheckTensors
// CHECK: llvm.store %{{.*}}, %arg1
// CHECK-LABEL: llvm.func @main_prepare(
// CHECK: llvm.call @kclCheckTensors
// CHECK: llvm.call @kclCheckLoaded
// CHECK: llvm.call @kclCheckPersistent
// CHECK-LABEL: llvm.func @main_describe(
// CHECK-LABEL: llvm.func @main_hints(
// CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-NEXT: llvm.store %[[NONE]], %arg0
// CHECK-LABEL: llvm.func @main_load(
// CHECK: llvm.call @kclLoad
// CHECK-LABEL: llvm.func @main_unload(
// CHECK: llvm.call @kclUnload
// CHECK-LABEL: llvm.func internal @main__body
// CHECK: llvm.call @kclStepMemset
// CHECK: llvm.cond_br
// CHECK: llvm.call @kclGuard
// CHECK: llvm.call @kclStepKernel
// CHECK: llvm.call @kclStepCopy
