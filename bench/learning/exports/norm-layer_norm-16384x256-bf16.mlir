module {
  func.func @main(%arg0: !torch.vtensor<[16384,256],bf16>, %arg1: !torch.vtensor<[256],bf16>, %arg2: !torch.vtensor<[256],bf16>) -> !torch.vtensor<[16384,256],bf16> {
    %int256 = torch.constant.int 256
    %0 = torch.prim.ListConstruct %int256 : (!torch.int) -> !torch.list<int>
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %false = torch.constant.bool false
    %1 = torch.aten.layer_norm %arg0, %0, %arg1, %arg2, %float1.000000e-05, %false : !torch.vtensor<[16384,256],bf16>, !torch.list<int>, !torch.vtensor<[256],bf16>, !torch.vtensor<[256],bf16>, !torch.float, !torch.bool -> !torch.vtensor<[16384,256],bf16>
    return %1 : !torch.vtensor<[16384,256],bf16>
  }
}
