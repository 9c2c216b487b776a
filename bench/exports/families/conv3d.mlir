module {
  func.func @main(%arg0: !torch.vtensor<[64,32,3,3,3],f32>, %arg1: !torch.vtensor<[64],f32>, %arg2: !torch.vtensor<[4,32,32,128,128],f32>) -> !torch.vtensor<[4,64,32,128,128],f32> {
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %int1_1 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1, %int1_0, %int1_1 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int1_2 = torch.constant.int 1
    %int1_3 = torch.constant.int 1
    %int1_4 = torch.constant.int 1
    %1 = torch.prim.ListConstruct %int1_2, %int1_3, %int1_4 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int1_5 = torch.constant.int 1
    %int1_6 = torch.constant.int 1
    %int1_7 = torch.constant.int 1
    %2 = torch.prim.ListConstruct %int1_5, %int1_6, %int1_7 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int1_8 = torch.constant.int 1
    %3 = torch.aten.conv3d %arg2, %arg0, %arg1, %0, %1, %2, %int1_8 : !torch.vtensor<[4,32,32,128,128],f32>, !torch.vtensor<[64,32,3,3,3],f32>, !torch.vtensor<[64],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[4,64,32,128,128],f32>
    return %3 : !torch.vtensor<[4,64,32,128,128],f32>
  }
}
