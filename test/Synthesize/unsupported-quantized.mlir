// TM-10: a quantised op that nothing here lowers (dequantize with an unsigned
// zero point) is never lowered wrongly: refused by name and place, or, with
// keep-unsupported, left alone with a remark while the rest is optimised.
// RUN: rm -rf %t && mkdir -p %t
// RUN: not kernelclaw-opt %s --llm-optimize="device=cpu" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: kernelclaw-opt %s -o %t/out.mlir --llm-optimize="keep-unsupported=true provider=none evaluator=none store=none run-dir=%t/run" 2>%t/log
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/log
// RUN: FileCheck %s --input-file=%t/out.mlir

// REFUSED: unsupported-quantized.mlir:[[#@LINE+12]]:{{[0-9]+}}: error: cannot lower torch.quantized_decomposed.dequantize_per_channel to linalg
// REMARK: remark: 'quantized_decomposed.dequantize_per_channel' stays as Torch IR (keep-unsupported)
// CHECK: torch.operator "torch.quantized_decomposed.dequantize_per_channel"(%{{.*}}) : (!torch.vtensor<[2,2],ui8>, !torch.vtensor<[2],f64>, !torch.vtensor<[2],ui8>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[2,2],f32>
// CHECK: call @main_region_0
func.func @main(%x: !torch.vtensor<[2,2],ui8>) -> !torch.vtensor<[2,2],f32> {
  %scales = torch.vtensor.literal(dense<[0.5, 0.25]> : tensor<2xf64>) : !torch.vtensor<[2],f64>
  %zeros = torch.vtensor.literal(dense<[200, 3]> : tensor<2xui8>) : !torch.vtensor<[2],ui8>
  %c1 = torch.constant.int 1
  %c0 = torch.constant.int 0
  %c255 = torch.constant.int 255
  %dtype = torch.constant.int 0

  %0 = torch.operator "torch.quantized_decomposed.dequantize_per_channel"(%x, %scales, %zeros, %c1, %c0, %c255, %dtype) : (!torch.vtensor<[2,2],ui8>, !torch.vtensor<[2],f64>, !torch.vtensor<[2],ui8>, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.vtensor<[2,2],f32>
  %1 = torch.aten.relu %0 : !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  return %1 : !torch.vtensor<[2,2],f32>
}
