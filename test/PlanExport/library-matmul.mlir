// Contractions as matmul steps: transposed operands, batches, what comes behind
// the product (bias, positive part, rounding, another matrix), and what stays a
// kernel of ours.
// RUN: kernelclaw-opt --kclaw-linalg-to-gpu=library=torch %s | FileCheck %s
// RUN: kernelclaw-opt --kclaw-linalg-to-gpu=library=tf32 %s | FileCheck %s --check-prefix=TF32
// RUN: kernelclaw-opt --kclaw-linalg-to-gpu %s | FileCheck %s --check-prefix=OURS

// OURS-NOT: claw.matmul_step

// CHECK-LABEL: func.func @mm(
// CHECK-NOT: gpu.launch_func
// CHECK: claw.matmul_step(%arg0, %arg1, %arg2, %{{[a-z0-9_]+}} :
// CHECK-SAME: numbers(%c24, %c40, %c48, %c1, %c48, %c0, %c40, %c0, %c40
// CHECK-SAME: compute = 1 : i32
// CHECK-SAME: epilogue = 0 : i32
// CHECK-SAME: transposed = array<i32: 0, 0, 0, 0>
// TF32-LABEL: func.func @mm(
// TF32: compute = 2 : i32
func.func @mm(%a: tensor<24x48xf32>, %b: tensor<48x40xf32>) -> tensor<24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x40xf32>) -> tensor<24x40xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<24x48xf32>, tensor<48x40xf32>) outs(%init : tensor<24x40xf32>) -> tensor<24x40xf32>
  return %0 : tensor<24x40xf32>
}

// linear with bias and relu: one step, b transposed.
// CHECK-LABEL: func.func @linear_relu(
// CHECK-NOT: gpu.launch_func
// CHECK: claw.matmul_step(%arg0, %arg1, %arg3, %arg2, %{{[a-z0-9_]+}} :
// CHECK-SAME: epilogue = 4 : i32
// CHECK-SAME: transposed = array<i32: 0, 1, 0, 0>
func.func @linear_relu(%x: tensor<24x48xf32>, %w: tensor<40x48xf32>, %bias: tensor<40xf32>) -> tensor<24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x40xf32>) -> tensor<24x40xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<24x48xf32>, tensor<40x48xf32>) outs(%init : tensor<24x40xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<24x40xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<24x40xf32>, tensor<40xf32>) outs(%empty : tensor<24x40xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %4 = arith.addf %p, %q : f32
    %5 = arith.maximumf %4, %zero : f32
    linalg.yield %5 : f32
  } -> tensor<24x40xf32>
  return %3 : tensor<24x40xf32>
}

// f16 with f32 sums: rounded once, by the library.
// CHECK-LABEL: func.func @half(
// CHECK-NOT: gpu.launch_func
// CHECK: claw.matmul_step(%arg0, %arg1, %arg2, %{{[a-z0-9_]+}} :
// CHECK-SAME: elements = array<i32: 3, 3, 3, 3>
func.func @half(%a: tensor<2x24x48xf16>, %b: tensor<2x48x40xf16>) -> tensor<2x24x40xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x24x40xf32>
  %narrow = tensor.empty() : tensor<2x24x40xf16>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x24x40xf32>) -> tensor<2x24x40xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x24x48xf16>, tensor<2x48x40xf16>) outs(%init : tensor<2x24x40xf32>) -> tensor<2x24x40xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x24x40xf32>) outs(%narrow : tensor<2x24x40xf16>) {
  ^bb0(%p: f32, %s: f16):
    %2 = arith.truncf %p : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<2x24x40xf16>
  return %1 : tensor<2x24x40xf16>
}

// A dot product is one reduction of ours.
// CHECK-LABEL: func.func @dot(
// CHECK-NOT: claw.matmul_step
// CHECK: gpu.launch_func
func.func @dot(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %0 = linalg.dot ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
