module {
  func.func @main(%arg0: !torch.vtensor<[32768,4096],f32>, %arg1: !torch.vtensor<[32768],si64>) -> !torch.vtensor<[],f32> {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %int-100 = torch.constant.int -100
    %float0.000000e00 = torch.constant.float 0.000000e+00
    %0 = torch.aten.cross_entropy_loss %arg0, %arg1, %none, %int1, %int-100, %float0.000000e00 : !torch.vtensor<[32768,4096],f32>, !torch.vtensor<[32768],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32>
    return %0 : !torch.vtensor<[],f32>
  }
}
