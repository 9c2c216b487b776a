module {
  func.func @main(%arg0: !torch.vtensor<[128,4096,4095],f32>) -> !torch.vtensor<[128,1,4095],f32> {
    %int1 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %true = torch.constant.bool true
    %none = torch.constant.none
    %1 = torch.aten.sum.dim_IntList %arg0, %0, %true, %none : !torch.vtensor<[128,4096,4095],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[128,1,4095],f32>
    return %1 : !torch.vtensor<[128,1,4095],f32>
  }
}
