module {
  func.func @main(%arg0: !torch.vtensor<[1024,8192],bf16>, %arg1: !torch.vtensor<[512,8192],bf16>, %arg2: !torch.vtensor<[512],bf16>) -> !torch.vtensor<[1024,512],bf16> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[1024,8192],bf16>, !torch.vtensor<[512,8192],bf16>, !torch.vtensor<[512],bf16> -> !torch.vtensor<[1024,512],bf16>
    %str = torch.constant.str "none"
    %1 = torch.aten.gelu %0, %str : !torch.vtensor<[1024,512],bf16>, !torch.str -> !torch.vtensor<[1024,512],bf16>
    return %1 : !torch.vtensor<[1024,512],bf16>
  }
}
