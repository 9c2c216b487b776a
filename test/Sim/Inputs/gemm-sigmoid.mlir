module {
  func.func @main(%arg0: !torch.vtensor<[96,72],f32>, %arg1: !torch.vtensor<[120,72],f32>, %arg2: !torch.vtensor<[120],f32>) -> !torch.vtensor<[96,120],f32> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[96,72],f32>, !torch.vtensor<[120,72],f32>, !torch.vtensor<[120],f32> -> !torch.vtensor<[96,120],f32>
    %1 = torch.aten.sigmoid %0 : !torch.vtensor<[96,120],f32> -> !torch.vtensor<[96,120],f32>
    return %1 : !torch.vtensor<[96,120],f32>
  }
}
