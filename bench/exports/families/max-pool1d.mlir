module {
  func.func @main(%arg0: !torch.vtensor<[64,192,65536],f32>) -> !torch.vtensor<[64,192,65523],f32> {
    %int8 = torch.constant.int 8
    %0 = torch.prim.ListConstruct %int8 : (!torch.int) -> !torch.list<int>
    %int1 = torch.constant.int 1
    %1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %int4 = torch.constant.int 4
    %2 = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
    %int3 = torch.constant.int 3
    %3 = torch.prim.ListConstruct %int3 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %4 = torch.aten.max_pool1d %arg0, %0, %1, %2, %3, %false : !torch.vtensor<[64,192,65536],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[64,192,65523],f32>
    return %4 : !torch.vtensor<[64,192,65523],f32>
  }
}
