module {
  func.func @main(%arg0: !torch.vtensor<[64],f32>, %arg1: !torch.vtensor<[64],f32>, %arg2: !torch.vtensor<[32,64,32,64,64],f32>) -> !torch.vtensor<[32,64,32,64,64],f32> {
    %int64 = torch.constant.int 64
    %0 = torch.prim.ListConstruct %int64 : (!torch.int) -> !torch.list<int>
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %1 = torch.aten.layer_norm %arg2, %0, %arg0, %arg1, %float1.000000e-05, %false : !torch.vtensor<[32,64,32,64,64],f32>, !torch.list<int>, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.float, !torch.bool -> !torch.vtensor<[32,64,32,64,64],f32>
    return %1 : !torch.vtensor<[32,64,32,64,64],f32>
  }
}
