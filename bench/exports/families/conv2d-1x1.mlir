module {
  func.func @main(%arg0: !torch.vtensor<[128,64,1,1],f32>, %arg1: !torch.vtensor<[16,64,1024,1024],f32>) -> !torch.vtensor<[16,128,1024,1024],f32> {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1, %int1_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %int0_1 = torch.constant.int 0
    %1 = torch.prim.ListConstruct %int0, %int0_1 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_2 = torch.constant.int 1
    %int1_3 = torch.constant.int 1
    %2 = torch.prim.ListConstruct %int1_2, %int1_3 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_4 = torch.constant.int 1
    %3 = torch.aten.conv2d %arg1, %arg0, %none, %0, %1, %2, %int1_4 : !torch.vtensor<[16,64,1024,1024],f32>, !torch.vtensor<[128,64,1,1],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[16,128,1024,1024],f32>
    return %3 : !torch.vtensor<[16,128,1024,1024],f32>
  }
}
