module {
  func.func @main(%arg0: !torch.vtensor<[2048,12288],f32>) -> !torch.vtensor<[2048,12288],f32> {
    %str = torch.constant.str "none"
    %0 = torch.aten.gelu %arg0, %str : !torch.vtensor<[2048,12288],f32>, !torch.str -> !torch.vtensor<[2048,12288],f32>
    %int-1 = torch.constant.int -1
    %none = torch.constant.none
    %1 = torch.aten.softmax.int %0, %int-1, %none : !torch.vtensor<[2048,12288],f32>, !torch.int, !torch.none -> !torch.vtensor<[2048,12288],f32>
    return %1 : !torch.vtensor<[2048,12288],f32>
  }
}
