// Convolutions are one contraction on a padded input.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg --canonicalize | FileCheck %s

// Stride 2, dilation 3, padding 1, two groups.
// CHECK-DAG: #[[INPUT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 * 2 + d5 * 3)>
// CHECK-DAG: #[[WEIGHT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
// CHECK-LABEL: func.func @conv1d(
// CHECK: tensor.insert_slice {{.*}}[0, 0, 1] {{.*}} : tensor<2x4x9xf32> into tensor<2x4x11xf32>
// CHECK: linalg.generic {indexing_maps = [#[[INPUT]], #[[WEIGHT]], {{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins({{.*}} : tensor<2x2x2x11xf32>, tensor<2x3x2x3xf32>) outs({{.*}} : tensor<2x2x3x3xf32>)
// CHECK: return {{.*}} : tensor<2x6x3xf32>
func.func @conv1d(%x: !torch.vtensor<[2,4,9],f32>, %w: !torch.vtensor<[6,2,3],f32>) -> !torch.vtensor<[2,6,3],f32> {
  %none = torch.constant.none
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %3 = torch.constant.int 3
  %stride = torch.prim.ListConstruct %2 : (!torch.int) -> !torch.list<int>
  %padding = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  %dilation = torch.prim.ListConstruct %3 : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.conv1d %x, %w, %none, %stride, %padding, %dilation, %2 : !torch.vtensor<[2,4,9],f32>, !torch.vtensor<[6,2,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[2,6,3],f32>
  return %0 : !torch.vtensor<[2,6,3],f32>
}

// Transposed: elements 2 apart among zeros, the taps flipped in each group.
// CHECK-LABEL: func.func @transposed(
// CHECK: tensor.insert_slice {{.*}}[1, 4, 2] [1, 1, 2] : tensor<1x4x2xf32> into tensor<1x4x3xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 0, 1]
// CHECK: linalg.transpose ins({{.*}} : tensor<2x2x3x2xf32>) outs({{.*}} : tensor<2x3x2x2xf32>)
// CHECK: return {{.*}} : tensor<1x6x4xf32>
func.func @transposed(%x: !torch.vtensor<[1,4,2],f32>, %w: !torch.vtensor<[4,3,2],f32>) -> !torch.vtensor<[1,6,4],f32> {
  %none = torch.constant.none
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %stride = torch.prim.ListConstruct %2 : (!torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  %y = torch.aten.conv_transpose1d %x, %w, %none, %stride, %zeros, %zeros, %2, %ones : !torch.vtensor<[1,4,2],f32>, !torch.vtensor<[4,3,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[1,6,4],f32>
  return %y : !torch.vtensor<[1,6,4],f32>
}
