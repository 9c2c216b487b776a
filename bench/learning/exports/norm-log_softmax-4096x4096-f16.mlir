module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],f16>) -> !torch.vtensor<[4096,4096],f16> {
    %int-1 = torch.constant.int -1
    %none = torch.constant.none
    %0 = torch.aten.log_softmax.int %arg0, %int-1, %none : !torch.vtensor<[4096,4096],f16>, !torch.int, !torch.none -> !torch.vtensor<[4096,4096],f16>
    return %0 : !torch.vtensor<[4096,4096],f16>
  }
}
