module {
  func.func @main(%arg0: !torch.vtensor<[32768,65535],f32>) -> !torch.vtensor<[32768,65535],f32> {
    %0 = torch.aten.abs %arg0 : !torch.vtensor<[32768,65535],f32> -> !torch.vtensor<[32768,65535],f32>
    %int1 = torch.constant.int 1
    %1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %true = torch.constant.bool true
    %none = torch.constant.none
    %2 = torch.aten.mean.dim %0, %1, %true, %none : !torch.vtensor<[32768,65535],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[32768,1],f32>
    %3 = torch.aten.div.Tensor %arg0, %2 : !torch.vtensor<[32768,65535],f32>, !torch.vtensor<[32768,1],f32> -> !torch.vtensor<[32768,65535],f32>
    return %3 : !torch.vtensor<[32768,65535],f32>
  }
}
