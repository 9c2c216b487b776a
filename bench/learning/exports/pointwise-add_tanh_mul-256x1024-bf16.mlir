module {
  func.func @main(%arg0: !torch.vtensor<[256,1024],bf16>, %arg1: !torch.vtensor<[256,1024],bf16>) -> !torch.vtensor<[256,1024],bf16> {
    %int1 = torch.constant.int 1
    %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[256,1024],bf16>, !torch.vtensor<[256,1024],bf16>, !torch.int -> !torch.vtensor<[256,1024],bf16>
    %1 = torch.aten.tanh %0 : !torch.vtensor<[256,1024],bf16> -> !torch.vtensor<[256,1024],bf16>
    %float5.000000e-01 = torch.constant.float 5.000000e-01
    %2 = torch.aten.mul.Scalar %1, %float5.000000e-01 : !torch.vtensor<[256,1024],bf16>, !torch.float -> !torch.vtensor<[256,1024],bf16>
    %int1_0 = torch.constant.int 1
    %3 = torch.aten.add.Tensor %2, %arg0, %int1_0 : !torch.vtensor<[256,1024],bf16>, !torch.vtensor<[256,1024],bf16>, !torch.int -> !torch.vtensor<[256,1024],bf16>
    return %3 : !torch.vtensor<[256,1024],bf16>
  }
}
