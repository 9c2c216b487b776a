module {
  func.func @main(%arg0: !torch.vtensor<[32768,32768],f32>, %arg1: !torch.vtensor<[32768],f32>) -> !torch.vtensor<[],f32> {
    %0 = torch.aten.mul.Tensor %arg0, %arg1 : !torch.vtensor<[32768,32768],f32>, !torch.vtensor<[32768],f32> -> !torch.vtensor<[32768,32768],f32>
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %1 = torch.aten.rsub.Scalar %0, %int1, %int1_0 : !torch.vtensor<[32768,32768],f32>, !torch.int, !torch.int -> !torch.vtensor<[32768,32768],f32>
    %int0 = torch.constant.int 0
    %none = torch.constant.none
    %2 = torch.aten.clamp %1, %int0, %none : !torch.vtensor<[32768,32768],f32>, !torch.int, !torch.none -> !torch.vtensor<[32768,32768],f32>
    %none_1 = torch.constant.none
    %3 = torch.aten.mean %2, %none_1 : !torch.vtensor<[32768,32768],f32>, !torch.none -> !torch.vtensor<[],f32>
    return %3 : !torch.vtensor<[],f32>
  }
}
