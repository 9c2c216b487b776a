#loc1 = loc("bench/regions/models.py":38:0)
module {
  func.func @main(%arg0: !torch.vtensor<[8,16,1024,64],bf16> loc("bench/regions/models.py":38:0), %arg1: !torch.vtensor<[8,16,1024,64],bf16> loc("bench/regions/models.py":38:0), %arg2: !torch.vtensor<[8,16,1024,64],bf16> loc("bench/regions/models.py":38:0)) -> !torch.vtensor<[8,16,1024,64],bf16> {
    %none = torch.constant.none loc(#loc1)
    %float0.000000e00 = torch.constant.float 0.000000e+00 loc(#loc1)
    %false = torch.constant.bool false loc(#loc1)
    %none_0 = torch.constant.none loc(#loc1)
    %false_1 = torch.constant.bool false loc(#loc1)
    %0 = torch.aten.scaled_dot_product_attention %arg0, %arg1, %arg2, %none, %float0.000000e00, %false, %none_0, %false_1 : !torch.vtensor<[8,16,1024,64],bf16>, !torch.vtensor<[8,16,1024,64],bf16>, !torch.vtensor<[8,16,1024,64],bf16>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[8,16,1024,64],bf16> loc(#loc1)
    return %0 : !torch.vtensor<[8,16,1024,64],bf16> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

