// f64 to bf16 rounds once: 1 + 2^-8 + 2^-40 is above the tie between 1 and
// 1 + 2^-7, and f32 alone would lose that; the tie itself goes to even; NaN and
// infinities stay.
// RUN: kernelclaw-run %s --device=cpu --out %t.npz
// RUN: %python %S/Inputs/arrays.py read %t.npz | FileCheck %s
// 1 + 2^-7, 1, -(1 + 2^-7), infinity, infinity (from 1e300), and a NaN:
// CHECK: res0_bf16 uint16 [16257 16256 49025 32640 32640 32704]
func.func @main() -> tensor<6xbf16> {
  %x = arith.constant dense<[1.0039062500009095, 1.00390625, -1.0039062500009095, 0x7FF0000000000000, 1.0e300, 0x7FF8000000000000]> : tensor<6xf64>
  %e = tensor.empty() : tensor<6xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<6xf64>) outs(%e : tensor<6xbf16>) {
  ^bb0(%in: f64, %o: bf16):
    %n = arith.truncf %in : f64 to bf16
    linalg.yield %n : bf16
  } -> tensor<6xbf16>
  return %y : tensor<6xbf16>
}
