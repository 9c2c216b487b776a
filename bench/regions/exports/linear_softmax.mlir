#loc1 = loc("bench/regions/models.py":58:0)
module {
  func.func @main(%arg0: !torch.vtensor<[16384,1024],bf16> loc("bench/regions/models.py":58:0), %arg1: !torch.vtensor<[1024,1024],bf16> loc("bench/regions/models.py":58:0)) -> !torch.vtensor<[16384,1024],bf16> {
    %none = torch.constant.none loc(#loc1)
    %0 = torch.aten.linear %arg0, %arg1, %none : !torch.vtensor<[16384,1024],bf16>, !torch.vtensor<[1024,1024],bf16>, !torch.none -> !torch.vtensor<[16384,1024],bf16> loc(#loc1)
    %int-1 = torch.constant.int -1 loc(#loc1)
    %none_0 = torch.constant.none loc(#loc1)
    %1 = torch.aten.softmax.int %0, %int-1, %none_0 : !torch.vtensor<[16384,1024],bf16>, !torch.int, !torch.none -> !torch.vtensor<[16384,1024],bf16> loc(#loc1)
    return %1 : !torch.vtensor<[16384,1024],bf16> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

