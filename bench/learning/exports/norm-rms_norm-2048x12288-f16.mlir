module {
  func.func @main(%arg0: !torch.vtensor<[2048,12288],f16>, %arg1: !torch.vtensor<[12288],f16>) -> !torch.vtensor<[2048,12288],f16> {
    %int12288 = torch.constant.int 12288
    %0 = torch.prim.ListConstruct %int12288 : (!torch.int) -> !torch.list<int>
    %float9.999990e-07 = torch.constant.float 9.9999999999999995E-7
    %1 = torch.aten.rms_norm %arg0, %0, %arg1, %float9.999990e-07 : !torch.vtensor<[2048,12288],f16>, !torch.list<int>, !torch.vtensor<[12288],f16>, !torch.float -> !torch.vtensor<[2048,12288],f16>
    return %1 : !torch.vtensor<[2048,12288],f16>
  }
}
