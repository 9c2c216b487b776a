module {
  func.func @main(%arg0: !torch.vtensor<[64,262144],f16>) -> !torch.vtensor<[262144],f16> {
    %int-2 = torch.constant.int -2
    %0 = torch.prim.ListConstruct %int-2 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %none = torch.constant.none
    %1 = torch.aten.sum.dim_IntList %arg0, %0, %false, %none : !torch.vtensor<[64,262144],f16>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[262144],f16>
    return %1 : !torch.vtensor<[262144],f16>
  }
}
