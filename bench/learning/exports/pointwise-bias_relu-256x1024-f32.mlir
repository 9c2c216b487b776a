module {
  func.func @main(%arg0: !torch.vtensor<[256,1024],f32>, %arg1: !torch.vtensor<[1024],f32>) -> !torch.vtensor<[256,1024],f32> {
    %int1 = torch.constant.int 1
    %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[256,1024],f32>, !torch.vtensor<[1024],f32>, !torch.int -> !torch.vtensor<[256,1024],f32>
    %1 = torch.aten.relu %0 : !torch.vtensor<[256,1024],f32> -> !torch.vtensor<[256,1024],f32>
    return %1 : !torch.vtensor<[256,1024],f32>
  }
}
