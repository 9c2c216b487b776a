module {
  func.func @main(%arg0: !torch.vtensor<[262144,64],f32>) -> !torch.vtensor<[262144,64],f32> {
    %int-2 = torch.constant.int -2
    %none = torch.constant.none
    %0 = torch.aten.softmax.int %arg0, %int-2, %none : !torch.vtensor<[262144,64],f32>, !torch.int, !torch.none -> !torch.vtensor<[262144,64],f32>
    return %0 : !torch.vtensor<[262144,64],f32>
  }
}
