module {
  func.func @main(%arg0: !torch.vtensor<[8192,8191],bf16>, %arg1: !torch.vtensor<[8191],bf16>) -> !torch.vtensor<[8192,8191],bf16> {
    %int1 = torch.constant.int 1
    %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[8192,8191],bf16>, !torch.vtensor<[8191],bf16>, !torch.int -> !torch.vtensor<[8192,8191],bf16>
    %1 = torch.aten.relu %0 : !torch.vtensor<[8192,8191],bf16> -> !torch.vtensor<[8192,8191],bf16>
    return %1 : !torch.vtensor<[8192,8191],bf16>
  }
}
