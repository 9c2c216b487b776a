module {
  func.func @main(%arg0: !torch.vtensor<[16384,256],f16>, %arg1: !torch.vtensor<[16384,256],f16>) -> !torch.vtensor<[16384],f16> {
    %int1 = torch.constant.int 1
    %0 = torch.aten.sub.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[16384,256],f16>, !torch.vtensor<[16384,256],f16>, !torch.int -> !torch.vtensor<[16384,256],f16>
    %int1_0 = torch.constant.int 1
    %1 = torch.aten.sub.Tensor %arg0, %arg1, %int1_0 : !torch.vtensor<[16384,256],f16>, !torch.vtensor<[16384,256],f16>, !torch.int -> !torch.vtensor<[16384,256],f16>
    %2 = torch.aten.mul.Tensor %0, %1 : !torch.vtensor<[16384,256],f16>, !torch.vtensor<[16384,256],f16> -> !torch.vtensor<[16384,256],f16>
    %int-1 = torch.constant.int -1
    %3 = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %none = torch.constant.none
    %4 = torch.aten.mean.dim %2, %3, %false, %none : !torch.vtensor<[16384,256],f16>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[16384],f16>
    return %4 : !torch.vtensor<[16384],f16>
  }
}
