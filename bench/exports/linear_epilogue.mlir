module {
  func.func @main(%arg0: !torch.vtensor<[8192],f32>, %arg1: !torch.vtensor<[8192,512],f32>, %arg2: !torch.vtensor<[8192],f32>, %arg3: !torch.vtensor<[8192,512],f32>, %arg4: !torch.vtensor<[8192,8192],f32>) -> !torch.vtensor<[8192,8192],f32> {
    %0 = torch.aten.linear %arg3, %arg1, %arg2 : !torch.vtensor<[8192,512],f32>, !torch.vtensor<[8192,512],f32>, !torch.vtensor<[8192],f32> -> !torch.vtensor<[8192,8192],f32>
    %1 = torch.aten.mul.Tensor %0, %arg0 : !torch.vtensor<[8192,8192],f32>, !torch.vtensor<[8192],f32> -> !torch.vtensor<[8192,8192],f32>
    %str = torch.constant.str "none"
    %2 = torch.aten.gelu %1, %str : !torch.vtensor<[8192,8192],f32>, !torch.str -> !torch.vtensor<[8192,8192],f32>
    %int1 = torch.constant.int 1
    %3 = torch.aten.add.Tensor %2, %arg4, %int1 : !torch.vtensor<[8192,8192],f32>, !torch.vtensor<[8192,8192],f32>, !torch.int -> !torch.vtensor<[8192,8192],f32>
    return %3 : !torch.vtensor<[8192,8192],f32>
  }
}
