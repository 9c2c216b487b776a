// The spec of each region: names, roles, domains, dimensions, graph, listing.
// RUN: kernelclaw-opt %s --kclaw-outline --kclaw-dump-specs -o /dev/null | FileCheck %s

// Names and roles come from attributes, the variance is positive, the channels
// are one dimension.
// CHECK: "name": "weight"
// CHECK: "role": "param"
// CHECK: "kind": "positive"
// CHECK: "name": "out0"
// CHECK: "listing": "def region(v0: f32[2, 3, 5], v1: f32[3], v2: f32[3]):\n  v3, v4, v5 = aten._native_batch_norm_legit_no_training(v0, v1, None, v2, v2,
// CHECK: "specHash": "{{[0-9a-f]+}}"
func.func @norm(%x: !torch.vtensor<[2,3,5],f32>, %w: !torch.vtensor<[3],f32> {claw.role = "param", claw.name = "weight"}, %v: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,5],f32> {
  %none = torch.constant.none
  %m = torch.constant.float 1.000000e-01
  %e = torch.constant.float 1.000000e-05
  %0:3 = torch.operator "torch.aten._native_batch_norm_legit_no_training"(%x, %w, %none, %v, %v, %m, %e) : (!torch.vtensor<[2,3,5],f32>, !torch.vtensor<[3],f32>, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.float, !torch.float) -> (!torch.vtensor<[2,3,5],f32>, !torch.vtensor<[0],f32>, !torch.vtensor<[0],f32>)
  return %0#0 : !torch.vtensor<[2,3,5],f32>
}

// A list of tensors with a None, an index domain with its limit, a splat.
// CHECK: "listing": "def region(v0: f32[7, 9], v1: i64[4]):\n  v2 = vtensor.literal(2)  # f32[]\n  v3 = aten.mul.Tensor(v0, v2)  # f32[7, 9]\n  v4 = aten.index.Tensor(v3, [None, v1])  # f32[7, 4]\n  return v4\n"
func.func @index(%x: !torch.vtensor<[7,9],f32>, %i: !torch.vtensor<[4],si64>) -> !torch.vtensor<[7,4],f32> {
  %none = torch.constant.none
  %two = torch.vtensor.literal(dense<2.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %l = torch.prim.ListConstruct %none, %i : (!torch.none, !torch.vtensor<[4],si64>) -> !torch.list<optional<vtensor>>
  %y = torch.aten.mul.Tensor %x, %two : !torch.vtensor<[7,9],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[7,9],f32>
  %0 = torch.aten.index.Tensor %y, %l : !torch.vtensor<[7,9],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[7,4],f32>
  return %0 : !torch.vtensor<[7,4],f32>
}

// An index that is chosen first (ignored ones become 0) is an index.
// CHECK: "kind": "index"
// CHECK: "limit": 37
// CHECK: aten.gather
func.func @masked_index(%x: !torch.vtensor<[61,37],f32>, %t: !torch.vtensor<[61,1],si64>) -> !torch.vtensor<[61,1],f32> {
  %int-100 = torch.constant.int -100
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %false = torch.constant.bool false
  %none = torch.constant.none
  %used = torch.aten.ne.Scalar %t, %int-100 : !torch.vtensor<[61,1],si64>, !torch.int -> !torch.vtensor<[61,1],i1>
  %zero = torch.aten.scalar_tensor %int0, %int4, %int0, %none, %none : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none -> !torch.vtensor<[],si64>
  %i = torch.aten.where.self %used, %t, %zero : !torch.vtensor<[61,1],i1>, !torch.vtensor<[61,1],si64>, !torch.vtensor<[],si64> -> !torch.vtensor<[61,1],si64>
  %0 = torch.aten.gather %x, %int1, %i, %false : !torch.vtensor<[61,37],f32>, !torch.int, !torch.vtensor<[61,1],si64>, !torch.bool -> !torch.vtensor<[61,1],f32>
  return %0 : !torch.vtensor<[61,1],f32>
}

// A maximum of 16 takes 15 comparisons for each of 294 results.
// CHECK: aten.max_pool2d(v0, [4, 4]
// CHECK: "flops": 4410
func.func @max_pool(%x: !torch.vtensor<[2,3,8,8],f32>) -> !torch.vtensor<[2,3,7,7],f32> {
  %four = torch.constant.int 4
  %one = torch.constant.int 1
  %k = torch.prim.ListConstruct %four, %four : (!torch.int, !torch.int) -> !torch.list<int>
  %s = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %0 = torch.aten.max_pool2d %x, %k, %s, %s, %s, %false : !torch.vtensor<[2,3,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2,3,7,7],f32>
  return %0 : !torch.vtensor<[2,3,7,7],f32>
}

// Windows without a stride do not overlap: 96 averages of 4.
// CHECK: aten.avg_pool2d(v0, [2, 2], []
// CHECK: "flops": 384
func.func @avg_pool(%x: !torch.vtensor<[2,3,8,8],f32>) -> !torch.vtensor<[2,3,4,4],f32> {
  %two = torch.constant.int 2
  %zero = torch.constant.int 0
  %k = torch.prim.ListConstruct %two, %two : (!torch.int, !torch.int) -> !torch.list<int>
  %s = torch.prim.ListConstruct : () -> !torch.list<int>
  %p = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.avg_pool2d %x, %k, %s, %p, %false, %true, %none : !torch.vtensor<[2,3,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2,3,4,4],f32>
  return %0 : !torch.vtensor<[2,3,4,4],f32>
}
