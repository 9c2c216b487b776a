module {
  func.func @main(%arg0: !torch.vtensor<[64,32,128,128],f16>, %arg1: !torch.vtensor<[32],f16>, %arg2: !torch.vtensor<[32],f16>) -> !torch.vtensor<[64,32,128,128],f16> {
    %int8 = torch.constant.int 8
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %0 = torch.aten.group_norm %arg0, %int8, %arg1, %arg2, %float1.000000e-05, %false : !torch.vtensor<[64,32,128,128],f16>, !torch.int, !torch.vtensor<[32],f16>, !torch.vtensor<[32],f16>, !torch.float, !torch.bool -> !torch.vtensor<[64,32,128,128],f16>
    return %0 : !torch.vtensor<[64,32,128,128],f16>
  }
}
