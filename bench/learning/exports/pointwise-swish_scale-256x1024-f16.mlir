module {
  func.func @main(%arg0: !torch.vtensor<[256,1024],f16>) -> !torch.vtensor<[256,1024],f16> {
    %0 = torch.aten.sigmoid %arg0 : !torch.vtensor<[256,1024],f16> -> !torch.vtensor<[256,1024],f16>
    %1 = torch.aten.mul.Tensor %arg0, %0 : !torch.vtensor<[256,1024],f16>, !torch.vtensor<[256,1024],f16> -> !torch.vtensor<[256,1024],f16>
    %float2.000000e00 = torch.constant.float 2.000000e+00
    %2 = torch.aten.mul.Scalar %1, %float2.000000e00 : !torch.vtensor<[256,1024],f16>, !torch.float -> !torch.vtensor<[256,1024],f16>
    return %2 : !torch.vtensor<[256,1024],f16>
  }
}
