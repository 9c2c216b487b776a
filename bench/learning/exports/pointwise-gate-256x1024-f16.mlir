module {
  func.func @main(%arg0: !torch.vtensor<[256,1024],f16>, %arg1: !torch.vtensor<[256,1024],f16>) -> !torch.vtensor<[256,1024],f16> {
    %0 = torch.aten.silu %arg0 : !torch.vtensor<[256,1024],f16> -> !torch.vtensor<[256,1024],f16>
    %1 = torch.aten.mul.Tensor %0, %arg1 : !torch.vtensor<[256,1024],f16>, !torch.vtensor<[256,1024],f16> -> !torch.vtensor<[256,1024],f16>
    return %1 : !torch.vtensor<[256,1024],f16>
  }
}
