module {
  func.func @main(%arg0: !torch.vtensor<[1024,8192],f16>, %arg1: !torch.vtensor<[512,8192],f16>, %arg2: !torch.vtensor<[512],f16>) -> !torch.vtensor<[1024,512],f16> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[1024,8192],f16>, !torch.vtensor<[512,8192],f16>, !torch.vtensor<[512],f16> -> !torch.vtensor<[1024,512],f16>
    %1 = torch.aten.sigmoid %0 : !torch.vtensor<[1024,512],f16> -> !torch.vtensor<[1024,512],f16>
    %float2.000000e00 = torch.constant.float 2.000000e+00
    %2 = torch.aten.mul.Scalar %1, %float2.000000e00 : !torch.vtensor<[1024,512],f16>, !torch.float -> !torch.vtensor<[1024,512],f16>
    return %2 : !torch.vtensor<[1024,512],f16>
  }
}
