#loc1 = loc("bench/regions/models.py":23:0)
module {
  func.func @main(%arg0: !torch.vtensor<[8192,8192],f32> loc("bench/regions/models.py":23:0), %arg1: !torch.vtensor<[8192,8192],i1> loc("bench/regions/models.py":23:0)) -> !torch.vtensor<[8192,8192],f32> {
    %0 = torch.aten.mul.Tensor %arg0, %arg1 : !torch.vtensor<[8192,8192],f32>, !torch.vtensor<[8192,8192],i1> -> !torch.vtensor<[8192,8192],f32> loc(#loc1)
    %int1 = torch.constant.int 1 loc(#loc1)
    %none = torch.constant.none loc(#loc1)
    %1 = torch.aten.cumsum %0, %int1, %none : !torch.vtensor<[8192,8192],f32>, !torch.int, !torch.none -> !torch.vtensor<[8192,8192],f32> loc(#loc1)
    return %1 : !torch.vtensor<[8192,8192],f32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

