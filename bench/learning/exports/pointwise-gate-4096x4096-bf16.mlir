module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],bf16>, %arg1: !torch.vtensor<[4096,4096],bf16>) -> !torch.vtensor<[4096,4096],bf16> {
    %0 = torch.aten.silu %arg0 : !torch.vtensor<[4096,4096],bf16> -> !torch.vtensor<[4096,4096],bf16>
    %1 = torch.aten.mul.Tensor %0, %arg1 : !torch.vtensor<[4096,4096],bf16>, !torch.vtensor<[4096,4096],bf16> -> !torch.vtensor<[4096,4096],bf16>
    return %1 : !torch.vtensor<[4096,4096],bf16>
  }
}
