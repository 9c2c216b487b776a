// What the arguments' sizes decide moves to @NAME__checks with the arguments
// named; what always holds goes, what depends on data stays.
// RUN: kernelclaw-opt %s --kclaw-size-checks --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @main__checks(
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index, %[[N:.*]]: i64, %{{.*}}: index) attributes {claw.checks}
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[A]], %[[B]]
// CHECK: claw.require %[[SAME]], "op: {0} (dimension 0 of argument 0) and {1} (dimension 1 of argument 1 'y')"(%[[A]], %[[B]] : index, index)
// CHECK: claw.require %{{.*}}, "scalar: {0} (argument 2)"(%[[N]] : i64)
// CHECK-NOT: claw.require
// CHECK-LABEL: func.func @main(
// CHECK-NOT: claw.require %{{.*}}, "op
// CHECK: claw.require %{{.*}}, "data: {0} and {1} (dimension 0 of argument 0)"
// CHECK: claw.require %{{.*}}, "read: {0} (in argument 4 'ids')"
// CHECK-NOT: claw.require
func.func @main(%x: tensor<?x4xf32>, %y: tensor<4x?xf32> {claw.name = "y"}, %n: i64, %z: tensor<i64>, %ids: tensor<?xi64> {claw.name = "ids"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %d0 = tensor.dim %x, %c0 : tensor<?x4xf32>
  %d1 = tensor.dim %y, %c1 : tensor<4x?xf32>
  %copy = tensor.empty(%d0) : tensor<?x4xf32>
  %again = tensor.dim %copy, %c0 : tensor<?x4xf32>
  %always = arith.cmpi eq, %d0, %again : index
  claw.require %always, "op: always"
  %same = arith.cmpi eq, %again, %d1 : index
  claw.require %same, "op: {0} and {1}"(%again, %d1 : index, index)
  %repeated = arith.cmpi eq, %d0, %d1 : index
  claw.require %repeated, "op: repeated"
  %positive = arith.cmpi sgt, %n, %zero : i64
  claw.require %positive, "scalar: {0}"(%n : i64)
  %element = tensor.extract %z[] : tensor<i64>
  %good = arith.cmpi sgt, %element, %zero : i64
  claw.require %good, "data: {0} and {1}"(%element, %d0 : i64, index)
  %start = tensor.from_elements %zero : tensor<i64>
  %last = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%ids : tensor<?xi64>) outs(%start : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %max = arith.maxsi %in, %out : i64
    linalg.yield %max : i64
  } -> tensor<i64>
  %read = tensor.extract %last[] : tensor<i64>
  %small = arith.cmpi slt, %read, %n : i64
  claw.require %small, "read: {0}"(%read : i64)
  return %x : tensor<?x4xf32>
}

// -----

// One name in claw.dims: the entry compares these before.
// CHECK-NOT: __checks
// CHECK-LABEL: func.func @named(
// CHECK-NOT: claw.require
func.func @named(%x: tensor<?xf32> {claw.dims = ["n0"]}, %y: tensor<?xf32> {claw.dims = ["n0:2:8"]}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?xf32>
  %d1 = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %d0, %d1 : index
  claw.require %same, "op: {0} and {1}"(%d0, %d1 : index, index)
  return %x : tensor<?xf32>
}
