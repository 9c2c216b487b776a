module {
  func.func @main(%arg0: !torch.vtensor<[16384,16384],f32>, %arg1: !torch.vtensor<[16384,16384],f32>) -> !torch.vtensor<[],f32> {
    %0 = torch.aten.log %arg0 : !torch.vtensor<[16384,16384],f32> -> !torch.vtensor<[16384,16384],f32>
    %int2 = torch.constant.int 2
    %false = torch.constant.bool false
    %1 = torch.aten.kl_div %0, %arg1, %int2, %false : !torch.vtensor<[16384,16384],f32>, !torch.vtensor<[16384,16384],f32>, !torch.int, !torch.bool -> !torch.vtensor<[],f32>
    %int16384 = torch.constant.int 16384
    %2 = torch.aten.div.Scalar %1, %int16384 : !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[],f32>
    return %2 : !torch.vtensor<[],f32>
  }
}
