module {
  func.func @main(%arg0: !torch.vtensor<[32768,64],f32>, %arg1: !torch.vtensor<[64,32768],f32>) -> !torch.vtensor<[32768,32768],f32> {
    %0 = torch.aten.matmul %arg0, %arg1 : !torch.vtensor<[32768,64],f32>, !torch.vtensor<[64,32768],f32> -> !torch.vtensor<[32768,32768],f32>
    return %0 : !torch.vtensor<[32768,32768],f32>
  }
}
