module {
  func.func @main(%arg0: !torch.vtensor<[100,90],f32>, %arg1: !torch.vtensor<[90,75],f32>) -> !torch.vtensor<[100,75],f32> {
    %0 = torch.aten.matmul %arg0, %arg1 : !torch.vtensor<[100,90],f32>, !torch.vtensor<[90,75],f32> -> !torch.vtensor<[100,75],f32>
    return %0 : !torch.vtensor<[100,75],f32>
  }
}
