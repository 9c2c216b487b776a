// What each granularity makes of a linear with an epilogue and a softmax.
// RUN: kernelclaw-opt %s --kclaw-outline=granularity=op | FileCheck %s --check-prefix=OP
// RUN: kernelclaw-opt %s --kclaw-outline=granularity=fusion | FileCheck %s --check-prefix=FUSION
// RUN: kernelclaw-opt %s --kclaw-outline=granularity=function | FileCheck %s --check-prefix=FUNCTION
// RUN: kernelclaw-opt %s --kclaw-outline | FileCheck %s --check-prefix=AUTO

// OP-LABEL: func.func @epilogue
// OP-COUNT-3: call @epilogue_region_{{[0-2]}}
// FUSION-LABEL: func.func @epilogue
// FUSION-COUNT-2: call @epilogue_region_{{[01]}}
// FUNCTION-LABEL: func.func @epilogue
// FUNCTION: %[[R:.*]] = call @epilogue_region_0(%arg0, %arg1)
// FUNCTION-NEXT: return %[[R]]
// A contraction stays apart from its epilogue.
// AUTO-LABEL: func.func @epilogue
// AUTO-NEXT: %[[L:.*]] = call @epilogue_region_0(%arg0, %arg1)
// AUTO-NEXT: %[[E:.*]] = call @epilogue_region_1(%[[L]])
// AUTO-NEXT: return %[[E]]
func.func @epilogue(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %none = torch.constant.none
  %0 = torch.aten.linear %x, %w, %none : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.none -> !torch.vtensor<[4,8],f32>
  %1 = torch.aten.relu %0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  %2 = torch.aten.tanh %1 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}
// OP: func.func private @epilogue_region_0{{.*}}#claw.region<"op", "contraction", 1>
// OP: func.func private @epilogue_region_1{{.*}}#claw.region<"op", "pointwise", 1>
// FUNCTION: func.func private @epilogue_region_0{{.*}}#claw.region<"function", "contraction", 3>
// AUTO: func.func private @epilogue_region_0{{.*}}#claw.region<"fusion", "contraction", 1>
// AUTO: func.func private @epilogue_region_1{{.*}}#claw.region<"fusion", "pointwise", 2>

// Two reductions over the same rows share a group with what is between.
// AUTO-LABEL: func.func @softmax
// AUTO-NEXT: %[[S:.*]] = call @softmax_region_0(%arg0)
// AUTO-NEXT: return %[[S]]
// FUSION-LABEL: func.func @softmax
// FUSION-NEXT: call @softmax_region_0
// FUSION-NEXT: return
// FUSION: #claw.region<"fusion", "reduction", 5>
func.func @softmax(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %int1 = torch.constant.int 1
  %int-1 = torch.constant.int -1
  %none = torch.constant.none
  %true = torch.constant.bool true
  %d = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
  %d1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %m = torch.aten.amax %x, %d, %true : !torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[4,1],f32>
  %s = torch.aten.sub.Tensor %x, %m, %int1 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,1],f32>, !torch.int -> !torch.vtensor<[4,8],f32>
  %e = torch.aten.exp %s : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>
  %t = torch.aten.sum.dim_IntList %e, %d1, %true, %none : !torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[4,1],f32>
  %r = torch.aten.div.Tensor %e, %t : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,1],f32> -> !torch.vtensor<[4,8],f32>
  return %r : !torch.vtensor<[4,8],f32>
}
