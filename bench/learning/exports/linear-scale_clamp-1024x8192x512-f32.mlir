module {
  func.func @main(%arg0: !torch.vtensor<[1024,8192],f32>, %arg1: !torch.vtensor<[512,8192],f32>, %arg2: !torch.vtensor<[512],f32>) -> !torch.vtensor<[1024,512],f32> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[1024,8192],f32>, !torch.vtensor<[512,8192],f32>, !torch.vtensor<[512],f32> -> !torch.vtensor<[1024,512],f32>
    %float5.000000e-01 = torch.constant.float 5.000000e-01
    %1 = torch.aten.mul.Scalar %0, %float5.000000e-01 : !torch.vtensor<[1024,512],f32>, !torch.float -> !torch.vtensor<[1024,512],f32>
    %float-1.000000e00 = torch.constant.float -1.000000e+00
    %float1.000000e00 = torch.constant.float 1.000000e+00
    %2 = torch.aten.clamp %1, %float-1.000000e00, %float1.000000e00 : !torch.vtensor<[1024,512],f32>, !torch.float, !torch.float -> !torch.vtensor<[1024,512],f32>
    return %2 : !torch.vtensor<[1024,512],f32>
  }
}
