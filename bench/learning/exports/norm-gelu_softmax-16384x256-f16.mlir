module {
  func.func @main(%arg0: !torch.vtensor<[16384,256],f16>) -> !torch.vtensor<[16384,256],f16> {
    %str = torch.constant.str "none"
    %0 = torch.aten.gelu %arg0, %str : !torch.vtensor<[16384,256],f16>, !torch.str -> !torch.vtensor<[16384,256],f16>
    %int-1 = torch.constant.int -1
    %none = torch.constant.none
    %1 = torch.aten.softmax.int %0, %int-1, %none : !torch.vtensor<[16384,256],f16>, !torch.int, !torch.none -> !torch.vtensor<[16384,256],f16>
    return %1 : !torch.vtensor<[16384,256],f16>
  }
}
