module {
  func.func @main(%arg0: !torch.vtensor<[1024,1000],bf16>, %arg1: !torch.vtensor<[1000],bf16>) -> !torch.vtensor<[1024,1000],bf16> {
    %int1000 = torch.constant.int 1000
    %0 = torch.prim.ListConstruct %int1000 : (!torch.int) -> !torch.list<int>
    %float9.999990e-07 = torch.constant.float 9.9999999999999995E-7
    %1 = torch.aten.rms_norm %arg0, %0, %arg1, %float9.999990e-07 : !torch.vtensor<[1024,1000],bf16>, !torch.list<int>, !torch.vtensor<[1000],bf16>, !torch.float -> !torch.vtensor<[1024,1000],bf16>
    return %1 : !torch.vtensor<[1024,1000],bf16>
  }
}
