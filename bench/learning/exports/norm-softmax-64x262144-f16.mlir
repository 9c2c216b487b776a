module {
  func.func @main(%arg0: !torch.vtensor<[64,262144],f16>) -> !torch.vtensor<[64,262144],f16> {
    %int-1 = torch.constant.int -1
    %none = torch.constant.none
    %0 = torch.aten.softmax.int %arg0, %int-1, %none : !torch.vtensor<[64,262144],f16>, !torch.int, !torch.none -> !torch.vtensor<[64,262144],f16>
    return %0 : !torch.vtensor<[64,262144],f16>
  }
}
