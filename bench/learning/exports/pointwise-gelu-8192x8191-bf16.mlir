module {
  func.func @main(%arg0: !torch.vtensor<[8192,8191],bf16>) -> !torch.vtensor<[8192,8191],bf16> {
    %str = torch.constant.str "none"
    %0 = torch.aten.gelu %arg0, %str : !torch.vtensor<[8192,8191],bf16>, !torch.str -> !torch.vtensor<[8192,8191],bf16>
    return %0 : !torch.vtensor<[8192,8191],bf16>
  }
}
