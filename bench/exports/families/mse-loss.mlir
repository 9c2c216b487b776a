module {
  func.func @main(%arg0: !torch.vtensor<[32768,32768],f32>, %arg1: !torch.vtensor<[32768,32768],f32>) -> !torch.vtensor<[],f32> {
    %int1 = torch.constant.int 1
    %0 = torch.aten.sub.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[32768,32768],f32>, !torch.vtensor<[32768,32768],f32>, !torch.int -> !torch.vtensor<[32768,32768],f32>
    %int2 = torch.constant.int 2
    %1 = torch.aten.pow.Tensor_Scalar %0, %int2 : !torch.vtensor<[32768,32768],f32>, !torch.int -> !torch.vtensor<[32768,32768],f32>
    %none = torch.constant.none
    %2 = torch.aten.mean %1, %none : !torch.vtensor<[32768,32768],f32>, !torch.none -> !torch.vtensor<[],f32>
    return %2 : !torch.vtensor<[],f32>
  }
}
