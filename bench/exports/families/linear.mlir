module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],f32>, %arg1: !torch.vtensor<[4096],f32>, %arg2: !torch.vtensor<[16384,4096],f32>) -> !torch.vtensor<[16384,4096],f32> {
    %0 = torch.aten.linear %arg2, %arg0, %arg1 : !torch.vtensor<[16384,4096],f32>, !torch.vtensor<[4096,4096],f32>, !torch.vtensor<[4096],f32> -> !torch.vtensor<[16384,4096],f32>
    return %0 : !torch.vtensor<[16384,4096],f32>
  }
}
