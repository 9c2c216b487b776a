// Without attributes, weights and statistics are told by their position; a
// function that has roles keeps them; a computed value is never a parameter.
// RUN: kernelclaw-opt %s --kclaw-outline | FileCheck %s

// CHECK-LABEL: func.func @by_position(%arg0: !torch.vtensor<[4,8],f32>, %arg1: !torch.vtensor<[8,8],f32> {claw.role = "param"}, %arg2: !torch.vtensor<[8],f32> {claw.role = "param"})
// CHECK: func.func private @by_position_region_0(%arg0: !torch.vtensor<[4,8],f32>, %arg1: !torch.vtensor<[8,8],f32> {claw.role = "param"}, %arg2: !torch.vtensor<[8],f32> {claw.role = "param"})
func.func @by_position(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>, %b: !torch.vtensor<[8],f32>) -> !torch.vtensor<[4,8],f32> {
  %0 = torch.aten.linear %x, %w, %b : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.vtensor<[8],f32> -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @computed
// CHECK: func.func private @computed_region_0({{.*}}"pointwise"
// CHECK: func.func private @computed_region_1(%arg0: !torch.vtensor<[4,8],f32>, %arg1: !torch.vtensor<[8,8],f32>)
func.func @computed(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %none = torch.constant.none
  %e = torch.aten.exp %w : !torch.vtensor<[8,8],f32> -> !torch.vtensor<[8,8],f32>
  %0 = torch.aten.linear %x, %e, %none : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.none -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @given(%arg0: !torch.vtensor<[4,8],f32> {claw.role = "input"}, %arg1: !torch.vtensor<[8,8],f32>)
func.func @given(%x: !torch.vtensor<[4,8],f32> {claw.role = "input"}, %w: !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %none = torch.constant.none
  %0 = torch.aten.linear %x, %w, %none : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.none -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}
