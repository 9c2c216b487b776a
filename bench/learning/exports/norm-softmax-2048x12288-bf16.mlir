module {
  func.func @main(%arg0: !torch.vtensor<[2048,12288],bf16>) -> !torch.vtensor<[2048,12288],bf16> {
    %int-1 = torch.constant.int -1
    %none = torch.constant.none
    %0 = torch.aten.softmax.int %arg0, %int-1, %none : !torch.vtensor<[2048,12288],bf16>, !torch.int, !torch.none -> !torch.vtensor<[2048,12288],bf16>
    return %0 : !torch.vtensor<[2048,12288],bf16>
  }
}
