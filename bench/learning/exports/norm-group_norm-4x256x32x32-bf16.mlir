module {
  func.func @main(%arg0: !torch.vtensor<[4,256,32,32],bf16>, %arg1: !torch.vtensor<[256],bf16>, %arg2: !torch.vtensor<[256],bf16>) -> !torch.vtensor<[4,256,32,32],bf16> {
    %int8 = torch.constant.int 8
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %0 = torch.aten.group_norm %arg0, %int8, %arg1, %arg2, %float1.000000e-05, %false : !torch.vtensor<[4,256,32,32],bf16>, !torch.int, !torch.vtensor<[256],bf16>, !torch.vtensor<[256],bf16>, !torch.float, !torch.bool -> !torch.vtensor<[4,256,32,32],bf16>
    return %0 : !torch.vtensor<[4,256,32,32],bf16>
  }
}
