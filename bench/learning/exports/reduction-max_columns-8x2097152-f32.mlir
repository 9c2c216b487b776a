module {
  func.func @main(%arg0: !torch.vtensor<[8,2097152],f32>) -> !torch.vtensor<[2097152],f32> {
    %int-2 = torch.constant.int -2
    %0 = torch.prim.ListConstruct %int-2 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %1 = torch.aten.amax %arg0, %0, %false : !torch.vtensor<[8,2097152],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2097152],f32>
    return %1 : !torch.vtensor<[2097152],f32>
  }
}
