// keep-unsupported: an op that nobody can lower stays, regions around it are
// embedded beside; without such an op nothing changes.
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: kernelclaw-opt %t/unknown.mlir -o %t/out.mlir --llm-optimize="keep-unsupported=true provider=none evaluator=none store=none run-dir=%t/run1" 2>%t/log
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/log
// RUN: FileCheck %s --input-file=%t/out.mlir
// The result is a valid module that reads back as it was written.
// RUN: kernelclaw-opt %t/out.mlir | diff %t/out.mlir -
// RUN: not kernelclaw-opt %t/unknown.mlir --llm-optimize="provider=none evaluator=none store=none run-dir=%t/run2" 2>&1 | FileCheck %s --check-prefix=REFUSED

// REMARK: unknown.mlir:3:{{[0-9]+}}: remark: 'aten.frobnicate' stays as Torch IR (keep-unsupported)
// REFUSED: error: op 'aten.frobnicate' is in no region and has no device code

// CHECK: module attributes {gpu.container_module}
// CHECK: func.func @main(%[[X:.*]]: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
// CHECK-NEXT: %[[A:.*]] = call @main_region_0(%[[X]])
// CHECK-NEXT: %[[B:.*]] = torch.aten.frobnicate %[[A]]
// CHECK-NEXT: %[[C:.*]] = call @main_region_1(%[[B]])
// CHECK-NEXT: return %[[C]]
// CHECK: func.func private @main_region_0(%{{.*}}: !torch.vtensor<[4,8],f32>
// CHECK-SAME: claw.embedded = @main_region_0_embedded
// CHECK: torch.aten.relu
// CHECK: func.func private @main_region_0_embedded(%[[IN:.*]]: memref<4x8xf32>, %[[OUT:.*]]: memref<4x8xf32>)
// CHECK: claw.kernel_step @main_region_0_embedded_stock::{{.*}} args(%[[IN]], %[[OUT]]
// CHECK: func.func private @main_region_1(
// CHECK-SAME: claw.embedded = @main_region_1_embedded
// CHECK: gpu.binary @main_region_0_embedded_stock

// A region that cannot be lowered stays, too, and says which op it is.
// RUN: kernelclaw-opt %t/region.mlir -o %t/region-out.mlir --llm-optimize="keep-unsupported=true granularity=op provider=none evaluator=none store=none run-dir=%t/run3" 2>%t/log
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t/log
// RUN: FileCheck %s --check-prefix=REGION --input-file=%t/region-out.mlir
// WHY: region.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: main_region_{{[01]}}: stays as Torch IR (keep-unsupported): {{.*}}aten.renorm
// REGION-COUNT-1: claw.embedded =
// REGION-NOT: claw.embedded =

// RUN: kernelclaw-opt %samples/softmax_last/keep.mlir -o %t/with.mlir --llm-optimize="keep-unsupported=true provider=none evaluator=none store=none run-dir=%t/run4" 2>/dev/null
// RUN: kernelclaw-opt %samples/softmax_last/keep.mlir -o %t/without.mlir --llm-optimize="provider=none evaluator=none store=none run-dir=%t/run5" 2>/dev/null
// RUN: diff %t/with.mlir %t/without.mlir

// RUN: not kernelclaw-opt %t/unknown.mlir --llm-optimize="keep-unsupported=true device=cpu" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: keep-unsupported with device=cpu is not supported

//--- unknown.mlir
func.func @main(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  %1 = torch.aten.frobnicate %0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  %2 = torch.aten.exp %1 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}

//--- region.mlir
func.func @main(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %two = torch.constant.float 2.000000e+00
  %dim = torch.constant.int 0
  %0 = torch.aten.relu %x : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  %1 = torch.aten.renorm %0, %two, %dim, %two : !torch.vtensor<[4,8],f32>, !torch.float, !torch.int, !torch.float -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}
