module {
  func.func @main(%arg0: !torch.vtensor<[256,1024],bf16>) -> !torch.vtensor<[256,1024],bf16> {
    %0 = torch.aten.mish %arg0 : !torch.vtensor<[256,1024],bf16> -> !torch.vtensor<[256,1024],bf16>
    %float-1.000000e00 = torch.constant.float -1.000000e+00
    %float4.000000e00 = torch.constant.float 4.000000e+00
    %1 = torch.aten.clamp %0, %float-1.000000e00, %float4.000000e00 : !torch.vtensor<[256,1024],bf16>, !torch.float, !torch.float -> !torch.vtensor<[256,1024],bf16>
    return %1 : !torch.vtensor<[256,1024],bf16>
  }
}
