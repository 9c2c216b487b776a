// Integer abs has device code, as stock and as reference.
// RUN: kernelclaw-opt --kclaw-export-plan %s -o /dev/null | FileCheck %s
// RUN: kernelclaw-opt --kclaw-export-plan=producer=reference %s -o /dev/null | FileCheck %s

// CHECK: {{abs|max}}.s64
func.func @main(%arg0: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],si64> {
  %0 = torch.aten.abs %arg0 : !torch.vtensor<[4],si64> -> !torch.vtensor<[4],si64>
  return %0 : !torch.vtensor<[4],si64>
}
