// A reshape ties an unknown size only where the known sizes multiply to the
// same: splitting three heads off the batch is another size, not the same one.
//
// RUN: kernelclaw-opt %s --kclaw-outline=granularity=function | FileCheck %s

// CHECK-LABEL: func.func @heads
// CHECK: func.func private @heads_region_0(
// CHECK-SAME: !torch.vtensor<[?,15,15],f32> {claw.dims = ["n0", "", ""]}
// CHECK-SAME: !torch.vtensor<[?,15,24],f32> {claw.dims = ["n1", "", ""]}
// CHECK-SAME: -> (!torch.vtensor<[?,3,15,15],f32> {claw.dims = ["n1", "", "", ""]})
func.func @heads(%arg0: !torch.vtensor<[?,15,15],f32>, %arg1: !torch.vtensor<[?,15,24],f32>) -> !torch.vtensor<[?,3,15,15],f32> {
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %int15 = torch.constant.int 15
  %int-1 = torch.constant.int -1
  %false = torch.constant.bool false
  %0 = torch.aten.size.int %arg1, %int0 : !torch.vtensor<[?,15,24],f32>, !torch.int -> !torch.int
  %1 = torch.prim.ListConstruct %0, %int3, %int15, %int15 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.aten.view %arg0, %1 : !torch.vtensor<[?,15,15],f32>, !torch.list<int> -> !torch.vtensor<[?,3,15,15],f32>
  %3 = torch.aten._softmax %2, %int-1, %false : !torch.vtensor<[?,3,15,15],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?,3,15,15],f32>
  return %3 : !torch.vtensor<[?,3,15,15],f32>
}
