#loc1 = loc("bench/regions/models.py":43:0)
module {
  func.func @main(%arg0: !torch.vtensor<[16384,4096],f32> loc("bench/regions/models.py":43:0), %arg1: !torch.vtensor<[16384],si64> loc("bench/regions/models.py":43:0)) -> !torch.vtensor<[],f32> {
    %none = torch.constant.none loc(#loc1)
    %int1 = torch.constant.int 1 loc(#loc1)
    %int-100 = torch.constant.int -100 loc(#loc1)
    %float0.000000e00 = torch.constant.float 0.000000e+00 loc(#loc1)
    %0 = torch.aten.cross_entropy_loss %arg0, %arg1, %none, %int1, %int-100, %float0.000000e00 : !torch.vtensor<[16384,4096],f32>, !torch.vtensor<[16384],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32> loc(#loc1)
    return %0 : !torch.vtensor<[],f32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

