module {
  func.func @main(%arg0: !torch.vtensor<[8192,8191],f32>, %arg1: !torch.vtensor<[8192,8191],f32>) -> !torch.vtensor<[8192,8191],f32> {
    %0 = torch.aten.silu %arg0 : !torch.vtensor<[8192,8191],f32> -> !torch.vtensor<[8192,8191],f32>
    %1 = torch.aten.mul.Tensor %0, %arg1 : !torch.vtensor<[8192,8191],f32>, !torch.vtensor<[8192,8191],f32> -> !torch.vtensor<[8192,8191],f32>
    return %1 : !torch.vtensor<[8192,8191],f32>
  }
}
