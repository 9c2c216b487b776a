// A winner runs where its sizes are in range; what it needs of workspace is
// computed outside of the branch, where kclaw-plan-memory can place it.
// RUN: kernelclaw-opt --kclaw-embed-stock=guarded --split-input-file %s | FileCheck %s
// RUN: kernelclaw-opt --kclaw-embed-stock=guarded --kclaw-lower=device=cuda --split-input-file %s | FileCheck %s --check-prefix=LOWERED

// CHECK-LABEL: func.func private @region0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf32>
// CHECK: %[[N:.*]] = memref.dim %[[X]], %c0 :
// CHECK: arith.cmpi sge, %[[N]], %c2 :
// CHECK: arith.cmpi sle, %[[N]], %c64 :
// CHECK-COUNT-2: arith.andi
// CHECK: %[[ALL:.*]] = arith.andi
// CHECK: %[[AS_INDEX:.*]] = arith.index_castui %[[ALL]]
// CHECK: %[[WHEN:.*]] = arith.cmpi ne, %[[AS_INDEX]],
// CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %c4
// CHECK: %[[OK:.*]] = claw.guard "" align 16 when %[[WHEN]](%[[X]],
// CHECK-NEXT: scf.if %[[OK]]
// CHECK-NEXT: memref.alloc(%[[BYTES]]) {alignment = 256 : i64} : memref<?xi8>
// CHECK: claw.kernel_step @region0_won::
// CHECK: } else {
// CHECK: claw.kernel_step @region0_stock::
func.func @main(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %0 = call @region0(%x) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}
func.func private @region0(%x: !torch.vtensor<[?,?],f32> {claw.dims = ["n0:2:64", "n1"]}) -> !torch.vtensor<[?,?],f32> attributes {claw.region = #claw.region<"op", "softmax", 1>} {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.softmax.int %x, %int1, %none : !torch.vtensor<[?,?],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// LOWERED-LABEL: llvm.func internal @main__body
// LOWERED: llvm.call @kclGuard
// LOWERED: llvm.call @kclStepKernel

// -----

// Static shapes have no condition.
// CHECK-LABEL: func.func private @region1(
// CHECK: claw.guard "" align 16(
func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = call @region1(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
func.func private @region1(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {claw.region = #claw.region<"op", "pointwise", 1>} {
  %0 = torch.aten.relu %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
