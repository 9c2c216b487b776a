// An op that no region took is named.
// RUN: kernelclaw-opt --kclaw-embed-stock --verify-diagnostics %s

func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %none = torch.constant.none
  // expected-error@+1 {{op 'aten.rand_like' is in no region and has no device code; random ops are not lowered to CUDA yet}}
  %0 = torch.aten.rand_like %x, %none, %none, %none, %none, %none : !torch.vtensor<[4],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
