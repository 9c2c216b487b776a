module {
  func.func @main(%arg0: !torch.vtensor<[8,2097152],f16>, %arg1: !torch.vtensor<[2097152],f16>, %arg2: !torch.vtensor<[2097152],f16>) -> !torch.vtensor<[8,2097152],f16> {
    %int2097152 = torch.constant.int 2097152
    %0 = torch.prim.ListConstruct %int2097152 : (!torch.int) -> !torch.list<int>
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %1 = torch.aten.layer_norm %arg0, %0, %arg1, %arg2, %float1.000000e-05, %false : !torch.vtensor<[8,2097152],f16>, !torch.list<int>, !torch.vtensor<[2097152],f16>, !torch.vtensor<[2097152],f16>, !torch.float, !torch.bool -> !torch.vtensor<[8,2097152],f16>
    return %1 : !torch.vtensor<[8,2097152],f16>
  }
}
