module {
  func.func @main(%arg0: !torch.vtensor<[112,64,512,512],f32>) -> !torch.vtensor<[112,64,512,512],f32> {
    %int2 = torch.constant.int 2
    %none = torch.constant.none
    %false = torch.constant.bool false
    %none_0 = torch.constant.none
    %0 = torch.aten.linalg_vector_norm %arg0, %int2, %none, %false, %none_0 : !torch.vtensor<[112,64,512,512],f32>, !torch.int, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[],f32>
    %1 = torch.aten.div.Tensor %arg0, %0 : !torch.vtensor<[112,64,512,512],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[112,64,512,512],f32>
    return %1 : !torch.vtensor<[112,64,512,512],f32>
  }
}
