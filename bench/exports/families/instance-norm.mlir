module {
  func.func @main(%arg0: !torch.vtensor<[112,64,512,512],f32>) -> !torch.vtensor<[112,64,512,512],f32> {
    %none = torch.constant.none
    %none_0 = torch.constant.none
    %none_1 = torch.constant.none
    %none_2 = torch.constant.none
    %true = torch.constant.bool true
    %float1.000000e-01 = torch.constant.float 1.000000e-01
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %0 = torch.aten.instance_norm %arg0, %none, %none_0, %none_1, %none_2, %true, %float1.000000e-01, %float1.000000e-05, %false : !torch.vtensor<[112,64,512,512],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[112,64,512,512],f32>
    return %0 : !torch.vtensor<[112,64,512,512],f32>
  }
}
