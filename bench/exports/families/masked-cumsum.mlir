module {
  func.func @main(%arg0: !torch.vtensor<[32768,32768],f32>, %arg1: !torch.vtensor<[32768,32768],i1>) -> !torch.vtensor<[32768,32768],f32> {
    %0 = torch.aten.mul.Tensor %arg0, %arg1 : !torch.vtensor<[32768,32768],f32>, !torch.vtensor<[32768,32768],i1> -> !torch.vtensor<[32768,32768],f32>
    %int1 = torch.constant.int 1
    %none = torch.constant.none
    %1 = torch.aten.cumsum %0, %int1, %none : !torch.vtensor<[32768,32768],f32>, !torch.int, !torch.none -> !torch.vtensor<[32768,32768],f32>
    return %1 : !torch.vtensor<[32768,32768],f32>
  }
}
