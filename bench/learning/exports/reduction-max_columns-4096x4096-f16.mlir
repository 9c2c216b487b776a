module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],f16>) -> !torch.vtensor<[4096],f16> {
    %int-2 = torch.constant.int -2
    %0 = torch.prim.ListConstruct %int-2 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %1 = torch.aten.amax %arg0, %0, %false : !torch.vtensor<[4096,4096],f16>, !torch.list<int>, !torch.bool -> !torch.vtensor<[4096],f16>
    return %1 : !torch.vtensor<[4096],f16>
  }
}
