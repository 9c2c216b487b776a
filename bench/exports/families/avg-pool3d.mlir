module {
  func.func @main(%arg0: !torch.vtensor<[16,32,128,128,256],f32>) -> !torch.vtensor<[16,32,64,64,128],f32> {
    %int3 = torch.constant.int 3
    %int3_0 = torch.constant.int 3
    %int3_1 = torch.constant.int 3
    %0 = torch.prim.ListConstruct %int3, %int3_0, %int3_1 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int2 = torch.constant.int 2
    %int2_2 = torch.constant.int 2
    %int2_3 = torch.constant.int 2
    %1 = torch.prim.ListConstruct %int2, %int2_2, %int2_3 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %int1 = torch.constant.int 1
    %int1_4 = torch.constant.int 1
    %int1_5 = torch.constant.int 1
    %2 = torch.prim.ListConstruct %int1, %int1_4, %int1_5 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %true = torch.constant.bool true
    %none = torch.constant.none
    %3 = torch.aten.avg_pool3d %arg0, %0, %1, %2, %false, %true, %none : !torch.vtensor<[16,32,128,128,256],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[16,32,64,64,128],f32>
    return %3 : !torch.vtensor<[16,32,64,64,128],f32>
  }
}
