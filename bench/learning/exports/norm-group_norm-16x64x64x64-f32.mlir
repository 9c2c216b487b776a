module {
  func.func @main(%arg0: !torch.vtensor<[16,64,64,64],f32>, %arg1: !torch.vtensor<[64],f32>, %arg2: !torch.vtensor<[64],f32>) -> !torch.vtensor<[16,64,64,64],f32> {
    %int8 = torch.constant.int 8
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %0 = torch.aten.group_norm %arg0, %int8, %arg1, %arg2, %float1.000000e-05, %false : !torch.vtensor<[16,64,64,64],f32>, !torch.int, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.float, !torch.bool -> !torch.vtensor<[16,64,64,64],f32>
    return %0 : !torch.vtensor<[16,64,64,64],f32>
  }
}
