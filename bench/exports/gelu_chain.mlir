module {
  func.func @main(%arg0: !torch.vtensor<[8192],f32>, %arg1: !torch.vtensor<[8192,8192],f32>) -> !torch.vtensor<[8192,8192],f32> {
    %int1 = torch.constant.int 1
    %0 = torch.aten.add.Tensor %arg1, %arg0, %int1 : !torch.vtensor<[8192,8192],f32>, !torch.vtensor<[8192],f32>, !torch.int -> !torch.vtensor<[8192,8192],f32>
    %str = torch.constant.str "tanh"
    %1 = torch.aten.gelu %0, %str : !torch.vtensor<[8192,8192],f32>, !torch.str -> !torch.vtensor<[8192,8192],f32>
    %float1.500000e00 = torch.constant.float 1.500000e+00
    %2 = torch.aten.mul.Scalar %1, %float1.500000e00 : !torch.vtensor<[8192,8192],f32>, !torch.float -> !torch.vtensor<[8192,8192],f32>
    %none = torch.constant.none
    %float3.000000e00 = torch.constant.float 3.000000e+00
    %3 = torch.aten.clamp %2, %none, %float3.000000e00 : !torch.vtensor<[8192,8192],f32>, !torch.none, !torch.float -> !torch.vtensor<[8192,8192],f32>
    return %3 : !torch.vtensor<[8192,8192],f32>
  }
}
