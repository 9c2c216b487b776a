// Reads by index look up in a map; writes by index are a reduction over the
// sources, so nothing runs in a loop on the host.
// RUN: kernelclaw-opt %s --kclaw-torch-to-linalg | FileCheck %s

// Positions are looked up as they are; they were checked.
// CHECK-LABEL: func.func @embedding(
// CHECK: claw.require %{{.*}}, "aten.embedding: index {0} is out of bounds for dimension 0 with size {1}"
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<5xi64>)
// CHECK-NOT: arith.cmpi
// CHECK: tensor.extract %{{.*}} : tensor<9x4xf32>
func.func @embedding(%w: !torch.vtensor<[9,4],f32>, %i: !torch.vtensor<[5],si64>) -> !torch.vtensor<[5,4],f32> {
  %p = torch.constant.int -1
  %false = torch.constant.bool false
  %0 = torch.aten.embedding %w, %i, %p, %false, %false : !torch.vtensor<[9,4],f32>, !torch.vtensor<[5],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[5,4],f32>
  return %0 : !torch.vtensor<[5,4],f32>
}

// Repeated targets add up in f64, starting from the old element.
// CHECK-LABEL: func.func @scatter_add(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} {{.*}}outs({{.*}} : tensor<7x41xf64>)
// CHECK-NOT: scf.for
// CHECK: return
func.func @scatter_add(%x: !torch.vtensor<[7,41],f32>, %i: !torch.vtensor<[7,5],si64>, %s: !torch.vtensor<[7,5],f32>) -> !torch.vtensor<[7,41],f32> {
  %dim = torch.constant.int 1
  %0 = torch.aten.scatter_add %x, %dim, %i, %s : !torch.vtensor<[7,41],f32>, !torch.int, !torch.vtensor<[7,5],si64>, !torch.vtensor<[7,5],f32> -> !torch.vtensor<[7,41],f32>
  return %0 : !torch.vtensor<[7,41],f32>
}

// The first NaN wins, then the first of equal values.
// CHECK-LABEL: func.func @argmax(
// CHECK: arith.maximumf
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf une
// CHECK: arith.minsi
func.func @argmax(%x: !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3],si64> {
  %dim = torch.constant.int 1
  %false = torch.constant.bool false
  %0 = torch.aten.argmax %x, %dim, %false : !torch.vtensor<[3,5],f32>, !torch.int, !torch.bool -> !torch.vtensor<[3],si64>
  return %0 : !torch.vtensor<[3],si64>
}
