module {
  func.func @main(%arg0: !torch.vtensor<[16,64,2048,2048],f32>) -> !torch.vtensor<[16,64,186,186],f32> {
    %int11 = torch.constant.int 11
    %int11_0 = torch.constant.int 11
    %0 = torch.prim.ListConstruct %int11, %int11_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %int11_1 = torch.constant.int 11
    %int11_2 = torch.constant.int 11
    %1 = torch.prim.ListConstruct %int11_1, %int11_2 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %int0_3 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0, %int0_3 : (!torch.int, !torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %true = torch.constant.bool true
    %none = torch.constant.none
    %3 = torch.aten.avg_pool2d %arg0, %0, %1, %2, %false, %true, %none : !torch.vtensor<[16,64,2048,2048],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[16,64,186,186],f32>
    return %3 : !torch.vtensor<[16,64,186,186],f32>
  }
}
