// Dynamic sizes: kernels take the base pointer and each distinct size by value.
// RUN: kernelclaw-opt --kclaw-linalg-to-gpu --split-input-file %s | FileCheck %s

func.func @pointwise(%x: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x50xf32>
  %e = tensor.empty(%n) : tensor<?x50xf32>
  %0 = linalg.exp ins(%x : tensor<?x50xf32>) outs(%e : tensor<?x50xf32>) -> tensor<?x50xf32>
  return %0 : tensor<?x50xf32>
}
