module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],f32>, %arg1: !torch.vtensor<[4096,4096],f32>) -> !torch.vtensor<[4096,4096],f32> {
    %int1 = torch.constant.int 1
    %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[4096,4096],f32>, !torch.vtensor<[4096,4096],f32>, !torch.int -> !torch.vtensor<[4096,4096],f32>
    %1 = torch.aten.tanh %0 : !torch.vtensor<[4096,4096],f32> -> !torch.vtensor<[4096,4096],f32>
    %float5.000000e-01 = torch.constant.float 5.000000e-01
    %2 = torch.aten.mul.Scalar %1, %float5.000000e-01 : !torch.vtensor<[4096,4096],f32>, !torch.float -> !torch.vtensor<[4096,4096],f32>
    %int1_0 = torch.constant.int 1
    %3 = torch.aten.add.Tensor %2, %arg0, %int1_0 : !torch.vtensor<[4096,4096],f32>, !torch.vtensor<[4096,4096],f32>, !torch.int -> !torch.vtensor<[4096,4096],f32>
    return %3 : !torch.vtensor<[4096,4096],f32>
  }
}
