// A Torch function as stock and as f64 reference: buffers, steps and PTX.
// RUN: kernelclaw-opt --kclaw-export-plan %s -o /dev/null | FileCheck %s --check-prefixes=CHECK,STOCK
// RUN: kernelclaw-opt --kclaw-export-plan=producer=reference %s -o /dev/null | FileCheck %s --check-prefixes=CHECK,REF
// RUN: not kernelclaw-opt --kclaw-export-plan=producer=model %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK-DAG: "producer": "{{stock|reference}}"
// CHECK-DAG: "entry": "main_0_map"
// CHECK-DAG: .visible .entry main_0_map(
// STOCK-DAG: st.global.b32
// REF-DAG: st.global.b64
// BAD: unknown producer 'model'; accepted: stock, reference
func.func @main(%arg0: !torch.vtensor<[17,257],f32>) -> !torch.vtensor<[17,257],f32> {
  %0 = torch.aten.relu %arg0 : !torch.vtensor<[17,257],f32> -> !torch.vtensor<[17,257],f32>
  return %0 : !torch.vtensor<[17,257],f32>
}
