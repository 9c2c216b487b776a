module {
  func.func @main(%arg0: !torch.vtensor<[1024,8192],f16>, %arg1: !torch.vtensor<[512,8192],f16>, %arg2: !torch.vtensor<[512],f16>) -> !torch.vtensor<[1024,512],f16> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[1024,8192],f16>, !torch.vtensor<[512,8192],f16>, !torch.vtensor<[512],f16> -> !torch.vtensor<[1024,512],f16>
    %1 = torch.aten.relu %0 : !torch.vtensor<[1024,512],f16> -> !torch.vtensor<[1024,512],f16>
    return %1 : !torch.vtensor<[1024,512],f16>
  }
}
