module {
  func.func @main(%arg0: !torch.vtensor<[128,4096,4095],f32>) -> !torch.vtensor<[128,4095],f32> {
    %int1 = torch.constant.int 1
    %false = torch.constant.bool false
    %values, %indices = torch.aten.max.dim %arg0, %int1, %false : !torch.vtensor<[128,4096,4095],f32>, !torch.int, !torch.bool -> !torch.vtensor<[128,4095],f32>, !torch.vtensor<[128,4095],si64>
    return %values : !torch.vtensor<[128,4095],f32>
  }
}
