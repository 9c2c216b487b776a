module {
  func.func @main(%arg0: !torch.vtensor<[64,64,3,3],f32>, %arg1: !torch.vtensor<[8,64,1024,1024],f32>) -> !torch.vtensor<[8,64,1026,1026],f32> {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1, %int1_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %int0_1 = torch.constant.int 0
    %1 = torch.prim.ListConstruct %int0, %int0_1 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0_2 = torch.constant.int 0
    %int0_3 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0_2, %int0_3 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_4 = torch.constant.int 1
    %int1_5 = torch.constant.int 1
    %int1_6 = torch.constant.int 1
    %3 = torch.prim.ListConstruct %int1_5, %int1_6 : (!torch.int, !torch.int) -> !torch.list<int>
    %4 = torch.aten.conv_transpose2d.input %arg1, %arg0, %none, %0, %1, %2, %int1_4, %3 : !torch.vtensor<[8,64,1024,1024],f32>, !torch.vtensor<[64,64,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[8,64,1026,1026],f32>
    return %4 : !torch.vtensor<[8,64,1026,1026],f32>
  }
}
