module {
  func.func @main(%arg0: !torch.vtensor<[32,64,3,5,5],f32>, %arg1: !torch.vtensor<[16,32,64,64,64],f32>) -> !torch.vtensor<[16,64,66,68,68],f32> {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %int1_1 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1, %int1_0, %int1_1 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %int0_2 = torch.constant.int 0
    %int0_3 = torch.constant.int 0
    %1 = torch.prim.ListConstruct %int0, %int0_2, %int0_3 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int0_4 = torch.constant.int 0
    %int0_5 = torch.constant.int 0
    %int0_6 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0_4, %int0_5, %int0_6 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int1_7 = torch.constant.int 1
    %int1_8 = torch.constant.int 1
    %int1_9 = torch.constant.int 1
    %int1_10 = torch.constant.int 1
    %3 = torch.prim.ListConstruct %int1_8, %int1_9, %int1_10 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %4 = torch.aten.conv_transpose3d.input %arg1, %arg0, %none, %0, %1, %2, %int1_7, %3 : !torch.vtensor<[16,32,64,64,64],f32>, !torch.vtensor<[32,64,3,5,5],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[16,64,66,68,68],f32>
    return %4 : !torch.vtensor<[16,64,66,68,68],f32>
  }
}
