module {
  func.func @main(%arg0: !torch.vtensor<[16384,256],f32>) -> !torch.vtensor<[16384,256],f32> {
    %int-1 = torch.constant.int -1
    %none = torch.constant.none
    %0 = torch.aten.softmax.int %arg0, %int-1, %none : !torch.vtensor<[16384,256],f32>, !torch.int, !torch.none -> !torch.vtensor<[16384,256],f32>
    return %0 : !torch.vtensor<[16384,256],f32>
  }
}
