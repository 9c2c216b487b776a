module {
  func.func @main(%arg0: !torch.vtensor<[16384,512],bf16>, %arg1: !torch.vtensor<[2048,512],bf16>, %arg2: !torch.vtensor<[2048],bf16>) -> !torch.vtensor<[16384,2048],bf16> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[16384,512],bf16>, !torch.vtensor<[2048,512],bf16>, !torch.vtensor<[2048],bf16> -> !torch.vtensor<[16384,2048],bf16>
    %1 = torch.aten.relu %0 : !torch.vtensor<[16384,2048],bf16> -> !torch.vtensor<[16384,2048],bf16>
    return %1 : !torch.vtensor<[16384,2048],bf16>
  }
}
