// Regions that no spec can hold, and a role that does not exist.
// RUN: kernelclaw-opt %s --kclaw-dump-specs --split-input-file --verify-diagnostics

// expected-remark @+1 {{region 'scalar' stays stock: argument 0 is a scalar of type '!torch.int'; winners take tensors only}}
func.func private @scalar(%i: !torch.int) -> !torch.int attributes {claw.region = #claw.region<"op", "other", 0>} {
  return %i : !torch.int
}

// -----

// expected-error @+1 {{argument 0 has claw.role "weights"; input, param, buffer or constant expected}}
func.func private @role(%x: !torch.vtensor<[4],f32> {claw.role = "weights"}) -> !torch.vtensor<[4],f32> attributes {claw.region = #claw.region<"op", "pointwise", 1>} {
  %0 = torch.aten.exp %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func private @complex(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {claw.region = #claw.region<"op", "pointwise", 1>} {
  // expected-error @+1 {{a region cannot hold a value of type '!torch.vtensor<[4],complex<f32>>'}}
  %0 = torch.aten.view_as_complex %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],complex<f32>>
  %1 = torch.aten.abs %0 : !torch.vtensor<[4],complex<f32>> -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}
