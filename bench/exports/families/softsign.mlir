module {
  func.func @main(%arg0: !torch.vtensor<[4096,393216],f32>) -> !torch.vtensor<[4096,393216],f32> {
    %0 = torch.aten.abs %arg0 : !torch.vtensor<[4096,393216],f32> -> !torch.vtensor<[4096,393216],f32>
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %1 = torch.aten.add.Scalar %0, %int1, %int1_0 : !torch.vtensor<[4096,393216],f32>, !torch.int, !torch.int -> !torch.vtensor<[4096,393216],f32>
    %2 = torch.aten.div.Tensor %arg0, %1 : !torch.vtensor<[4096,393216],f32>, !torch.vtensor<[4096,393216],f32> -> !torch.vtensor<[4096,393216],f32>
    return %2 : !torch.vtensor<[4096,393216],f32>
  }
}
