module {
  func.func @main(%arg0: !torch.vtensor<[262144,64],f16>) -> !torch.vtensor<[262144],f16> {
    %int-1 = torch.constant.int -1
    %0 = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %1 = torch.aten.logsumexp %arg0, %0, %false : !torch.vtensor<[262144,64],f16>, !torch.list<int>, !torch.bool -> !torch.vtensor<[262144],f16>
    return %1 : !torch.vtensor<[262144],f16>
  }
}
