module {
  func.func @main(%arg0: !torch.vtensor<[64,262144],f32>, %arg1: !torch.vtensor<[262144],f32>) -> !torch.vtensor<[64,262144],f32> {
    %int262144 = torch.constant.int 262144
    %0 = torch.prim.ListConstruct %int262144 : (!torch.int) -> !torch.list<int>
    %float9.999990e-07 = torch.constant.float 9.9999999999999995E-7
    %1 = torch.aten.rms_norm %arg0, %0, %arg1, %float9.999990e-07 : !torch.vtensor<[64,262144],f32>, !torch.list<int>, !torch.vtensor<[262144],f32>, !torch.float -> !torch.vtensor<[64,262144],f32>
    return %1 : !torch.vtensor<[64,262144],f32>
  }
}
