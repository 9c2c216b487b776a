module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],bf16>) -> !torch.vtensor<[4096],bf16> {
    %int-2 = torch.constant.int -2
    %0 = torch.prim.ListConstruct %int-2 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %none = torch.constant.none
    %1 = torch.aten.sum.dim_IntList %arg0, %0, %false, %none : !torch.vtensor<[4096,4096],bf16>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[4096],bf16>
    return %1 : !torch.vtensor<[4096],bf16>
  }
}
