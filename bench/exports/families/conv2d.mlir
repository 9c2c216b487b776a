module {
  func.func @main(%arg0: !torch.vtensor<[256,96,5,5],f32>, %arg1: !torch.vtensor<[256],f32>, %arg2: !torch.vtensor<[1024,96,27,27],f32>) -> !torch.vtensor<[1024,256,27,27],f32> {
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1, %int1_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %int2 = torch.constant.int 2
    %int2_1 = torch.constant.int 2
    %1 = torch.prim.ListConstruct %int2, %int2_1 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_2 = torch.constant.int 1
    %int1_3 = torch.constant.int 1
    %2 = torch.prim.ListConstruct %int1_2, %int1_3 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_4 = torch.constant.int 1
    %3 = torch.aten.conv2d %arg2, %arg0, %arg1, %0, %1, %2, %int1_4 : !torch.vtensor<[1024,96,27,27],f32>, !torch.vtensor<[256,96,5,5],f32>, !torch.vtensor<[256],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[1024,256,27,27],f32>
    return %3 : !torch.vtensor<[1024,256,27,27],f32>
  }
}
