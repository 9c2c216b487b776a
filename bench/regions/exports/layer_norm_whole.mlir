#loc1 = loc("bench/regions/models.py":48:0)
module {
  func.func @main(%arg0: !torch.vtensor<[16,64,128,128],f32> loc("bench/regions/models.py":48:0), %arg1: !torch.vtensor<[64,128,128],f32> loc("bench/regions/models.py":48:0), %arg2: !torch.vtensor<[64,128,128],f32> loc("bench/regions/models.py":48:0)) -> !torch.vtensor<[16,64,128,128],f32> {
    %int64 = torch.constant.int 64 loc(#loc1)
    %int128 = torch.constant.int 128 loc(#loc1)
    %int128_0 = torch.constant.int 128 loc(#loc1)
    %0 = torch.prim.ListConstruct %int64, %int128, %int128_0 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int> loc(#loc1)
    %float1.000000e-05 = torch.constant.float 1.000000e-05 loc(#loc1)
    %false = torch.constant.bool false loc(#loc1)
    %1 = torch.aten.layer_norm %arg0, %0, %arg1, %arg2, %float1.000000e-05, %false : !torch.vtensor<[16,64,128,128],f32>, !torch.list<int>, !torch.vtensor<[64,128,128],f32>, !torch.vtensor<[64,128,128],f32>, !torch.float, !torch.bool -> !torch.vtensor<[16,64,128,128],f32> loc(#loc1)
    return %1 : !torch.vtensor<[16,64,128,128],f32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

