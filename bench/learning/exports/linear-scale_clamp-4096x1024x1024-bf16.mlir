module {
  func.func @main(%arg0: !torch.vtensor<[4096,1024],bf16>, %arg1: !torch.vtensor<[1024,1024],bf16>, %arg2: !torch.vtensor<[1024],bf16>) -> !torch.vtensor<[4096,1024],bf16> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[4096,1024],bf16>, !torch.vtensor<[1024,1024],bf16>, !torch.vtensor<[1024],bf16> -> !torch.vtensor<[4096,1024],bf16>
    %float5.000000e-01 = torch.constant.float 5.000000e-01
    %1 = torch.aten.mul.Scalar %0, %float5.000000e-01 : !torch.vtensor<[4096,1024],bf16>, !torch.float -> !torch.vtensor<[4096,1024],bf16>
    %float-1.000000e00 = torch.constant.float -1.000000e+00
    %float1.000000e00 = torch.constant.float 1.000000e+00
    %2 = torch.aten.clamp %1, %float-1.000000e00, %float1.000000e00 : !torch.vtensor<[4096,1024],bf16>, !torch.float, !torch.float -> !torch.vtensor<[4096,1024],bf16>
    return %2 : !torch.vtensor<[4096,1024],bf16>
  }
}
