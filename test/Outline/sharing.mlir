// Regions that differ in any attribute keep their own function (OU-01); equal
// ones share it whatever their SSA names, locations and order of constants.
// RUN: kernelclaw-opt %s --kclaw-outline=granularity=op | FileCheck %s

// CHECK-LABEL: func.func @pools
// CHECK-NEXT: call @pools_region_0(%arg0)
// CHECK-NEXT: call @pools_region_1(%arg0)
// CHECK-NEXT: call @pools_region_2(%arg0)
// CHECK-NEXT: call @pools_region_0(%arg1)
// CHECK-NEXT: return
func.func @pools(%x: !torch.vtensor<[1,1,4,4],f32>, %y: !torch.vtensor<[1,1,4,4],f32>) -> (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>) {
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %int5 = torch.constant.int 5
  %int7 = torch.constant.int 7
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %k = torch.prim.ListConstruct %int3, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %s = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.avg_pool2d %x, %k, %s, %s, %false, %true, %int5 : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,1,4,4],f32>
  %1 = torch.aten.avg_pool2d %x, %k, %s, %s, %false, %true, %int7 : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,1,4,4],f32>
  %2 = torch.aten.avg_pool2d %x, %k, %s, %s, %false, %false, %int5 : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,1,4,4],f32>
  %divisor = torch.constant.int 5
  %one = torch.constant.int 1
  %three = torch.constant.int 3
  %stride = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %kernel = torch.prim.ListConstruct %three, %three : (!torch.int, !torch.int) -> !torch.list<int>
  %3 = torch.operator "torch.aten.avg_pool2d"(%y, %kernel, %stride, %stride, %false, %true, %divisor) : (!torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int) -> !torch.vtensor<[1,1,4,4],f32>
  return %0, %1, %2, %3 : !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>
}

// CHECK-LABEL: func.func @others
// CHECK-NEXT: call @others_region_0(%arg0)
// CHECK-NEXT: call @others_region_1(%arg0)
// CHECK-NEXT: call @others_region_2(%arg0)
// CHECK-NEXT: call @others_region_3(%arg0)
// CHECK-NEXT: call @others_region_4(%arg0)
// CHECK-NEXT: call @others_region_5(%arg0)
func.func @others(%x: !torch.vtensor<[4,4],f32>) -> (!torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %none = torch.constant.none
  %two = torch.vtensor.literal(dense<2.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %three = torch.vtensor.literal(dense<3.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %0 = torch.aten.softmax.int %x, %int0, %none : !torch.vtensor<[4,4],f32>, !torch.int, !torch.none -> !torch.vtensor<[4,4],f32>
  %1 = torch.aten.softmax.int %x, %int1, %none : !torch.vtensor<[4,4],f32>, !torch.int, !torch.none -> !torch.vtensor<[4,4],f32>
  %2 = torch.aten.mul.Tensor %x, %two : !torch.vtensor<[4,4],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4,4],f32>
  %3 = torch.aten.mul.Tensor %x, %three : !torch.vtensor<[4,4],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4,4],f32>
  %4 = torch.aten.add.Tensor %x, %x, %int1 : !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.int -> !torch.vtensor<[4,4],f32>
  %5 = torch.aten.add.Tensor %x, %x, %int2 : !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.int -> !torch.vtensor<[4,4],f32>
  return %0, %1, %2, %3, %4, %5 : !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>, !torch.vtensor<[4,4],f32>
}
