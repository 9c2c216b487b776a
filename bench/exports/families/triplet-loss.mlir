module {
  func.func @main(%arg0: !torch.vtensor<[32768,8192],f32>, %arg1: !torch.vtensor<[32768,8192],f32>, %arg2: !torch.vtensor<[32768,8192],f32>) -> !torch.vtensor<[],f32> {
    %float1.000000e00 = torch.constant.float 1.000000e+00
    %float2.000000e00 = torch.constant.float 2.000000e+00
    %float9.999990e-07 = torch.constant.float 9.9999999999999995E-7
    %false = torch.constant.bool false
    %int1 = torch.constant.int 1
    %0 = torch.operator "torch.aten.triplet_margin_loss"(%arg0, %arg1, %arg2, %float1.000000e00, %float2.000000e00, %float9.999990e-07, %false, %int1) : (!torch.vtensor<[32768,8192],f32>, !torch.vtensor<[32768,8192],f32>, !torch.vtensor<[32768,8192],f32>, !torch.float, !torch.float, !torch.float, !torch.bool, !torch.int) -> !torch.vtensor<[],f32> 
    return %0 : !torch.vtensor<[],f32>
  }
}
