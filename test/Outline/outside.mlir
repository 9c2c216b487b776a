// What stays outside, each with a remark; mutation and odd results (TM-03).
// RUN: kernelclaw-opt %s --kclaw-outline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @random
// CHECK: call @random_region_0
// CHECK: torch.aten.rand_like
// CHECK: call @random_region_1
func.func @random(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %none = torch.constant.none
  %0 = torch.aten.exp %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  // expected-remark @+1 {{'aten.rand_like' stays outside of regions: it draws random numbers}}
  %1 = torch.aten.rand_like %0, %none, %none, %none, %none, %none : !torch.vtensor<[4],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
  %2 = torch.aten.mul.Tensor %0, %1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %2 : !torch.vtensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @dropout
// CHECK: torch.aten.dropout
// CHECK: call @dropout_region_0
func.func @dropout(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) {
  %p = torch.constant.float 5.000000e-01
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  // expected-remark @+1 {{'aten.dropout' stays outside of regions: it draws random numbers}}
  %0 = torch.aten.dropout %x, %p, %true : !torch.vtensor<[4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[4],f32>
  %1 = torch.aten.dropout %x, %p, %false : !torch.vtensor<[4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[4],f32>
  return %0, %1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @unknown
// CHECK: torch.operator "torch.myns.f"
// CHECK: call @unknown_region_0
func.func @unknown(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-remark @+1 {{'myns.f' stays outside of regions: it is not an operator that regions may hold}}
  %0 = torch.operator "torch.myns.f"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  %1 = torch.aten.exp %0 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// -----

// A read stays on its side of the overwrite.
// CHECK-LABEL: func.func @mutated
// CHECK-NEXT: %[[BEFORE:.*]] = torch.copy.to_vtensor %arg0
// CHECK-NEXT: %[[NEW:.*]] = call @mutated_region_0(%[[BEFORE]])
// CHECK-NEXT: torch.overwrite.tensor.contents %[[NEW]] overwrites %arg0
// CHECK-NEXT: %[[AFTER:.*]] = torch.copy.to_vtensor %arg0
// CHECK-NEXT: %[[SUM:.*]] = call @mutated_region_1(%[[BEFORE]], %[[AFTER]])
// CHECK-NEXT: return %[[SUM]]
func.func @mutated(%m: !torch.tensor<[3,4],f32>) -> !torch.vtensor<[3,4],f32> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  // expected-remark @+1 {{'copy.to_vtensor' stays outside}}
  %0 = torch.copy.to_vtensor %m : !torch.vtensor<[3,4],f32>
  %1 = torch.aten.mul.Scalar %0, %int2 : !torch.vtensor<[3,4],f32>, !torch.int -> !torch.vtensor<[3,4],f32>
  // expected-remark @+1 {{'overwrite.tensor.contents' stays outside}}
  torch.overwrite.tensor.contents %1 overwrites %m : !torch.vtensor<[3,4],f32>, !torch.tensor<[3,4],f32>
  // expected-remark @+1 {{'copy.to_vtensor' stays outside}}
  %2 = torch.copy.to_vtensor %m : !torch.vtensor<[3,4],f32>
  %3 = torch.aten.add.Tensor %0, %2, %int1 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.int -> !torch.vtensor<[3,4],f32>
  return %3 : !torch.vtensor<[3,4],f32>
}

// -----

// The same result twice, an argument as a result, an int beside a tensor.
// CHECK-LABEL: func.func @results
// CHECK: %[[R:.*]] = call @results_region_0(%arg0)
// CHECK: %int7 = torch.constant.int 7
// CHECK: return %[[R]], %[[R]], %arg0, %int7
func.func @results(%x: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.int) {
  %int7 = torch.constant.int 7
  %0 = torch.aten.relu %x : !torch.vtensor<[3,4],f32> -> !torch.vtensor<[3,4],f32>
  return %0, %0, %x, %int7 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3,4],f32>, !torch.int
}

// -----

// CHECK-LABEL: func.func @unranked
func.func @unranked(%x: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {
  // expected-remark @+1 {{'aten.relu' stays outside of regions: it has a tensor of unknown rank or dtype}}
  %0 = torch.aten.relu %x : !torch.vtensor<*,f32> -> !torch.vtensor<*,f32>
  return %0 : !torch.vtensor<*,f32>
}

// expected-remark @+1 {{stays as it is: has control flow between blocks}}
func.func @blocks(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  cf.br ^bb1
^bb1:
  return %0 : !torch.vtensor<[4],f32>
}
