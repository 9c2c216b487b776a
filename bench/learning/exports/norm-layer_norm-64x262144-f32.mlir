module {
  func.func @main(%arg0: !torch.vtensor<[64,262144],f32>, %arg1: !torch.vtensor<[262144],f32>, %arg2: !torch.vtensor<[262144],f32>) -> !torch.vtensor<[64,262144],f32> {
    %int262144 = torch.constant.int 262144
    %0 = torch.prim.ListConstruct %int262144 : (!torch.int) -> !torch.list<int>
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %1 = torch.aten.layer_norm %arg0, %0, %arg1, %arg2, %float1.000000e-05, %false : !torch.vtensor<[64,262144],f32>, !torch.list<int>, !torch.vtensor<[262144],f32>, !torch.vtensor<[262144],f32>, !torch.float, !torch.bool -> !torch.vtensor<[64,262144],f32>
    return %1 : !torch.vtensor<[64,262144],f32>
  }
}
