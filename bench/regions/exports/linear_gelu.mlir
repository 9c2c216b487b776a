#loc1 = loc("bench/regions/models.py":53:0)
module {
  func.func @main(%arg0: !torch.vtensor<[4096,2048],f32> loc("bench/regions/models.py":53:0), %arg1: !torch.vtensor<[4096,2048],f32> loc("bench/regions/models.py":53:0), %arg2: !torch.vtensor<[4096],f32> loc("bench/regions/models.py":53:0)) -> !torch.vtensor<[4096,4096],f32> {
    %0 = torch.aten.linear %arg0, %arg1, %arg2 : !torch.vtensor<[4096,2048],f32>, !torch.vtensor<[4096,2048],f32>, !torch.vtensor<[4096],f32> -> !torch.vtensor<[4096,4096],f32> loc(#loc1)
    %str = torch.constant.str "none" loc(#loc1)
    %1 = torch.aten.gelu %0, %str : !torch.vtensor<[4096,4096],f32>, !torch.str -> !torch.vtensor<[4096,4096],f32> loc(#loc1)
    return %1 : !torch.vtensor<[4096,4096],f32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

