module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],f16>) -> !torch.vtensor<[4096,4096],f16> {
    %int-2 = torch.constant.int -2
    %none = torch.constant.none
    %0 = torch.aten.softmax.int %arg0, %int-2, %none : !torch.vtensor<[4096,4096],f16>, !torch.int, !torch.none -> !torch.vtensor<[4096,4096],f16>
    return %0 : !torch.vtensor<[4096,4096],f16>
  }
}
