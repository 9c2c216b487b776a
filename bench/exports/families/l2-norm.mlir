module {
  func.func @main(%arg0: !torch.vtensor<[32768,65535],f32>) -> !torch.vtensor<[32768,65535],f32> {
    %int2 = torch.constant.int 2
    %int1 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %true = torch.constant.bool true
    %none = torch.constant.none
    %1 = torch.aten.linalg_vector_norm %arg0, %int2, %0, %true, %none : !torch.vtensor<[32768,65535],f32>, !torch.int, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[32768,1],f32>
    %2 = torch.aten.div.Tensor %arg0, %1 : !torch.vtensor<[32768,65535],f32>, !torch.vtensor<[32768,1],f32> -> !torch.vtensor<[32768,65535],f32>
    return %2 : !torch.vtensor<[32768,65535],f32>
  }
}
