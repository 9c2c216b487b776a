// Regions become kernel steps on memrefs, entries take their results as
// arguments; a value that is returned and read on is written once.
// RUN: kernelclaw-opt --kclaw-embed-stock %s | FileCheck %s

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32>, %[[R0:.*]]: memref<4x8xf32>, %[[R1:.*]]: memref<4x8xf32>, %[[R2:.*]]: memref<4x8xf32>)
// CHECK-SAME: claw.num_results = 3
// CHECK: %[[T:.*]] = memref.alloc() {alignment = 256 : i64} : memref<4x8xf32>
// CHECK-NEXT: call @region0(%[[X]], %[[T]])
// CHECK-NEXT: call @region0(%[[T]], %[[R0]])
// CHECK: claw.copy_step %[[R0]]{{.*}} to %[[R1]]
// CHECK: claw.copy_step %[[X]]{{.*}} to %[[R2]]
// CHECK-NEXT: return
func.func @main(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) {
  %0 = call @region0(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %1 = call @region0(%0) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1, %1, %x : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>
}
// CHECK-LABEL: func.func private @region0(
// CHECK-SAME: %[[IN:.*]]: memref<4x8xf32>, %[[OUT:.*]]: memref<4x8xf32>) attributes {claw.region
// CHECK: claw.kernel_step @region0_stock::@region0_0_map
// CHECK-SAME: args(%[[IN]], %[[OUT]] : memref<4x8xf32>, memref<4x8xf32>)
func.func private @region0(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> attributes {claw.region = #claw.region<"op", "pointwise", 1>} {
  %0 = torch.aten.relu %x : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}
// CHECK: gpu.binary @region0_stock [#gpu.object<#nvvm.target<O = 3, chip = "sm_90">, assembly = "
