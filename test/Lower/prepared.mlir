// Prepared buffers and tensor maps in the entry ABI: a map is encoded in front
// of its launch; NAME__prepare has the prepare steps alone, and only where they
// read arguments and constants.
// RUN: kernelclaw-opt --kclaw-lower=device=cuda --split-input-file %s | FileCheck %s

gpu.binary @bin [#gpu.object<#nvvm.target<chip = "sm_90a">, bin = "\7FELF">]

// CHECK-LABEL: llvm.func internal @main__prepare(
// CHECK: llvm.select
// CHECK: llvm.call @kclStepKernel
// CHECK-NOT: llvm.call

// CHECK-LABEL: llvm.func @main(
// CHECK: llvm.call @kclCheckPrepared
// CHECK-LABEL: llvm.func @main_workspace(
// CHECK-LABEL: llvm.func @main_persistent(
// CHECK: llvm.mlir.constant(512 : i64)
// CHECK-LABEL: llvm.func @main_prepare(
// CHECK: llvm.call @kclCheckPersistent
// CHECK: llvm.call @main__prepare(

// CHECK-LABEL: llvm.func internal @main__body(
// CHECK: %[[MISSING:.*]] = llvm.icmp "eq"
// CHECK: llvm.select %[[MISSING]]
// CHECK: llvm.cond_br %[[MISSING]]
// CHECK: llvm.call @kclStepKernel
// CHECK: llvm.call @kclTensorMapEncode
// CHECK: llvm.call @kclStepKernel
func.func @main(%x: memref<16x16xf32>, %w: memref<16xf32>, %y: memref<16x16xf32>) attributes {claw.num_results = 1 : i64} {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %n = arith.constant 16 : i64
  %row = arith.constant 64 : i64
  %b = arith.constant 16 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %own = memref.alloc() : memref<512xi8>
  %p, %todo = claw.persistent %own : memref<512xi8> -> memref<512xi8>
  %packed = memref.view %p[%c0][] : memref<512xi8> to memref<256xi8>
  scf.if %todo {
    claw.kernel_step @bin::@pack grid(%c1, %c1, %c1) block(%c16, %c1, %c1) cluster(%c1, %c1, %c1) shared %c0 args(%w, %packed : memref<16xf32>, memref<256xi8>) offsets(%zero, %zero) {claw.prepare}
  }
  %map = claw.tensor_map %x[%zero] element 7 dims(%n, %n) strides(%row) box(%b, %b) by(%one, %one) modes(%none, %none, %none, %none) : memref<16x16xf32> -> memref<128xi8>
  claw.kernel_step @bin::@use grid(%c1, %c1, %c1) block(%c16, %c1, %c1) cluster(%c1, %c1, %c1) shared %c0 args(%map, %packed, %y : memref<128xi8>, memref<256xi8>, memref<16x16xf32>) offsets(%zero, %zero, %zero)
  return
}

// -----

gpu.binary @bin [#gpu.object<#nvvm.target<chip = "sm_90a">, bin = "\7FELF">]

// What is packed is computed by the call: no bytes, prepared in each call.
// CHECK-NOT: @late__prepare
// CHECK-LABEL: llvm.func @late_persistent(
// CHECK: llvm.mlir.constant(0 : i64)
// CHECK-LABEL: llvm.func internal @late__body(
// CHECK: llvm.call @kclStepKernel
// CHECK: llvm.call @kclStepKernel
// CHECK: llvm.call @kclStepKernel
func.func @late(%w: memref<16xf32>, %y: memref<16xf32>) attributes {claw.num_results = 1 : i64} {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %t = memref.alloc() : memref<16xf32>
  claw.kernel_step @bin::@twice grid(%c1, %c1, %c1) block(%c16, %c1, %c1) cluster(%c1, %c1, %c1) shared %c0 args(%w, %t : memref<16xf32>, memref<16xf32>) offsets(%zero, %zero)
  %own = memref.alloc() : memref<256xi8>
  %p, %todo = claw.persistent %own : memref<256xi8> -> memref<256xi8>
  scf.if %todo {
    claw.kernel_step @bin::@pack grid(%c1, %c1, %c1) block(%c16, %c1, %c1) cluster(%c1, %c1, %c1) shared %c0 args(%t, %p : memref<16xf32>, memref<256xi8>) offsets(%zero, %zero) {claw.prepare}
  }
  claw.kernel_step @bin::@use grid(%c1, %c1, %c1) block(%c16, %c1, %c1) cluster(%c1, %c1, %c1) shared %c0 args(%p, %y : memref<256xi8>, memref<16xf32>) offsets(%zero, %zero)
  return
}
