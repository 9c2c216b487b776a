module {
  func.func @main(%arg0: !torch.vtensor<[128,64,3],f32>, %arg1: !torch.vtensor<[64,64,524280],f32>) -> !torch.vtensor<[64,128,174758],f32> {
    %none = torch.constant.none
    %int3 = torch.constant.int 3
    %0 = torch.prim.ListConstruct %int3 : (!torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %1 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
    %int4 = torch.constant.int 4
    %2 = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
    %int1 = torch.constant.int 1
    %3 = torch.aten.conv1d %arg1, %arg0, %none, %0, %1, %2, %int1 : !torch.vtensor<[64,64,524280],f32>, !torch.vtensor<[128,64,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[64,128,174758],f32>
    return %3 : !torch.vtensor<[64,128,174758],f32>
  }
}
