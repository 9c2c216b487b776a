module {
  func.func @main(%arg0: !torch.vtensor<[4096,1024],f32>, %arg1: !torch.vtensor<[1024,1024],f32>, %arg2: !torch.vtensor<[1024],f32>) -> !torch.vtensor<[4096,1024],f32> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[4096,1024],f32>, !torch.vtensor<[1024,1024],f32>, !torch.vtensor<[1024],f32> -> !torch.vtensor<[4096,1024],f32>
    %1 = torch.aten.sigmoid %0 : !torch.vtensor<[4096,1024],f32> -> !torch.vtensor<[4096,1024],f32>
    %float2.000000e00 = torch.constant.float 2.000000e+00
    %2 = torch.aten.mul.Scalar %1, %float2.000000e00 : !torch.vtensor<[4096,1024],f32>, !torch.float -> !torch.vtensor<[4096,1024],f32>
    return %2 : !torch.vtensor<[4096,1024],f32>
  }
}
