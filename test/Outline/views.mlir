// Views go into the region that uses them; one that only the return needs ends
// the region that made its source, and a view of an argument is residual.
// RUN: kernelclaw-opt %s --kclaw-outline=granularity=fusion | FileCheck %s

// CHECK-LABEL: func.func @views
// CHECK-NEXT: %[[A:.*]] = call @views_region_0(%arg0, %arg1)
// CHECK-NEXT: %[[V:.*]] = call @views_region_1(%arg0)
// CHECK-NEXT: return %[[A]], %[[V]]
// CHECK: func.func private @views_region_0(%arg0: !torch.vtensor<[4,8],f32>, %arg1: !torch.vtensor<[8,4],f32>) -> !torch.vtensor<[32],f32>
// CHECK: torch.aten.permute %arg0
// CHECK: torch.aten.mul.Tensor
// CHECK: torch.aten.view
// CHECK: func.func private @views_region_1(%arg0: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[8,4],f32>
// CHECK-SAME: #claw.region<"residual", "pointwise", 0>
// CHECK: torch.aten.permute
func.func @views(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[8,4],f32>) -> (!torch.vtensor<[32],f32>, !torch.vtensor<[8,4],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int32 = torch.constant.int 32
  %dims = torch.prim.ListConstruct %int1, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %flat = torch.prim.ListConstruct %int32 : (!torch.int) -> !torch.list<int>
  %t = torch.aten.permute %x, %dims : !torch.vtensor<[4,8],f32>, !torch.list<int> -> !torch.vtensor<[8,4],f32>
  %m = torch.aten.mul.Tensor %t, %y : !torch.vtensor<[8,4],f32>, !torch.vtensor<[8,4],f32> -> !torch.vtensor<[8,4],f32>
  %v = torch.aten.view %m, %flat : !torch.vtensor<[8,4],f32>, !torch.list<int> -> !torch.vtensor<[32],f32>
  return %v, %t : !torch.vtensor<[32],f32>, !torch.vtensor<[8,4],f32>
}

// A group never depends on itself through an op outside.
// CHECK-LABEL: func.func @convex
// CHECK-NEXT: %[[A:.*]] = call @convex_region_0(%arg0)
// CHECK-NEXT: %[[B:.*]] = torch.operator "torch.myns.f"(%[[A]])
// CHECK-NEXT: call @convex_region_1(%[[A]], %[[B]])
func.func @convex(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %a = torch.aten.exp %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %b = torch.operator "torch.myns.f"(%a) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  %c = torch.aten.mul.Tensor %a, %b : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %c : !torch.vtensor<[4],f32>
}

// A static size is a constant inside; literals become constant arguments, splats
// move inside; roles and names travel with arguments.
// CHECK-LABEL: func.func @arguments
// CHECK-NEXT: %[[L:.*]] = torch.vtensor.literal(dense<[1.000000e+00, 2.000000e+00]>
// CHECK-NEXT: call @arguments_region_0(%arg0, %[[L]])
// CHECK: func.func private @arguments_region_0(%arg0: !torch.vtensor<[4,2],f32> {claw.name = "w", claw.role = "param"}, %arg1: !torch.vtensor<[2],f32> {claw.role = "constant"})
// CHECK-DAG: torch.vtensor.literal(dense<5.000000e-01>
// CHECK-DAG: torch.constant.int 4
// CHECK-NOT: size.int
func.func @arguments(%w: !torch.vtensor<[4,2],f32> {claw.role = "param", claw.name = "w"}) -> !torch.vtensor<[4,2],f32> {
  %int0 = torch.constant.int 0
  %n = torch.aten.size.int %w, %int0 : !torch.vtensor<[4,2],f32>, !torch.int -> !torch.int
  %l = torch.vtensor.literal(dense<[1.0, 2.0]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %h = torch.vtensor.literal(dense<0.5> : tensor<f32>) : !torch.vtensor<[],f32>
  %0 = torch.aten.add.Tensor %w, %l, %n : !torch.vtensor<[4,2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[4,2],f32>
  %1 = torch.aten.mul.Tensor %0, %h : !torch.vtensor<[4,2],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4,2],f32>
  return %1 : !torch.vtensor<[4,2],f32>
}
