module {
  func.func @main(%arg0: !torch.vtensor<[2048,12288],f16>) -> !torch.vtensor<[2048],si64> {
    %int-1 = torch.constant.int -1
    %false = torch.constant.bool false
    %0 = torch.aten.argmax %arg0, %int-1, %false : !torch.vtensor<[2048,12288],f16>, !torch.int, !torch.bool -> !torch.vtensor<[2048],si64>
    return %0 : !torch.vtensor<[2048],si64>
  }
}
