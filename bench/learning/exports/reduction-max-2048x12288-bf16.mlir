module {
  func.func @main(%arg0: !torch.vtensor<[2048,12288],bf16>) -> !torch.vtensor<[2048],bf16> {
    %int-1 = torch.constant.int -1
    %0 = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %1 = torch.aten.amax %arg0, %0, %false : !torch.vtensor<[2048,12288],bf16>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2048],bf16>
    return %1 : !torch.vtensor<[2048],bf16>
  }
}
