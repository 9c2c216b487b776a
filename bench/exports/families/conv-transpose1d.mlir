module {
  func.func @main(%arg0: !torch.vtensor<[128,128,3],f32>, %arg1: !torch.vtensor<[64,128,65536],f32>) -> !torch.vtensor<[64,128,65538],f32> {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %1 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
    %int0_0 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0_0 : (!torch.int) -> !torch.list<int>
    %int1_1 = torch.constant.int 1
    %int1_2 = torch.constant.int 1
    %3 = torch.prim.ListConstruct %int1_2 : (!torch.int) -> !torch.list<int>
    %4 = torch.aten.conv_transpose1d %arg1, %arg0, %none, %0, %1, %2, %int1_1, %3 : !torch.vtensor<[64,128,65536],f32>, !torch.vtensor<[128,128,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[64,128,65538],f32>
    return %4 : !torch.vtensor<[64,128,65538],f32>
  }
}
