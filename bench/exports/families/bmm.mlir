module {
  func.func @main(%arg0: !torch.vtensor<[128,512,1024],f32>, %arg1: !torch.vtensor<[128,1024,2048],f32>) -> !torch.vtensor<[128,512,2048],f32> {
    %0 = torch.aten.bmm %arg0, %arg1 : !torch.vtensor<[128,512,1024],f32>, !torch.vtensor<[128,1024,2048],f32> -> !torch.vtensor<[128,512,2048],f32>
    return %0 : !torch.vtensor<[128,512,2048],f32>
  }
}
