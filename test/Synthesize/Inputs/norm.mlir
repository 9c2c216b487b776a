func.func @main(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8],f32> {claw.name = "given"}) -> !torch.vtensor<[4,8],f32> {
  %0 = torch.aten.mul.Tensor %x, %w : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8],f32> -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}
