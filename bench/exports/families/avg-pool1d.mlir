module {
  func.func @main(%arg0: !torch.vtensor<[64,128,65536],f32>) -> !torch.vtensor<[64,128,65537],f32> {
    %int8 = torch.constant.int 8
    %0 = torch.prim.ListConstruct %int8 : (!torch.int) -> !torch.list<int>
    %int1 = torch.constant.int 1
    %1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %int4 = torch.constant.int 4
    %2 = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %true = torch.constant.bool true
    %3 = torch.aten.avg_pool1d %arg0, %0, %1, %2, %false, %true : !torch.vtensor<[64,128,65536],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool -> !torch.vtensor<[64,128,65537],f32>
    return %3 : !torch.vtensor<[64,128,65537],f32>
  }
}
