module {
  func.func @main(%arg0: !torch.vtensor<[4096,1024],f16>, %arg1: !torch.vtensor<[1024,1024],f16>, %arg2: !torch.vtensor<[1024],f16>) -> !torch.vtensor<[4096,1024],f16> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[4096,1024],f16>, !torch.vtensor<[1024,1024],f16>, !torch.vtensor<[1024],f16> -> !torch.vtensor<[4096,1024],f16>
    %str = torch.constant.str "none"
    %1 = torch.aten.gelu %0, %str : !torch.vtensor<[4096,1024],f16>, !torch.str -> !torch.vtensor<[4096,1024],f16>
    return %1 : !torch.vtensor<[4096,1024],f16>
  }
}
