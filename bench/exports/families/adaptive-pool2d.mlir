module {
  func.func @main(%arg0: !torch.vtensor<[128,64,254,254],f32>) -> !torch.vtensor<[128,64,1,1],f32> {
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1, %int1_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %1 = torch.aten.adaptive_avg_pool2d %arg0, %0 : !torch.vtensor<[128,64,254,254],f32>, !torch.list<int> -> !torch.vtensor<[128,64,1,1],f32>
    return %1 : !torch.vtensor<[128,64,1,1],f32>
  }
}
