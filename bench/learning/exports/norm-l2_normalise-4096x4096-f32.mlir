module {
  func.func @main(%arg0: !torch.vtensor<[4096,4096],f32>) -> !torch.vtensor<[4096,4096],f32> {
    %float2.000000e00 = torch.constant.float 2.000000e+00
    %int-1 = torch.constant.int -1
    %0 = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
    %true = torch.constant.bool true
    %none = torch.constant.none
    %1 = torch.aten.linalg_vector_norm %arg0, %float2.000000e00, %0, %true, %none : !torch.vtensor<[4096,4096],f32>, !torch.float, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[4096,1],f32>
    %float9.999990e-13 = torch.constant.float 9.9999999999999998E-13
    %2 = torch.aten.clamp_min %1, %float9.999990e-13 : !torch.vtensor<[4096,1],f32>, !torch.float -> !torch.vtensor<[4096,1],f32>
    %int4096 = torch.constant.int 4096
    %int4096_0 = torch.constant.int 4096
    %3 = torch.prim.ListConstruct %int4096, %int4096_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %4 = torch.aten.expand %2, %3, %false : !torch.vtensor<[4096,1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[4096,4096],f32>
    %5 = torch.aten.div.Tensor %arg0, %4 : !torch.vtensor<[4096,4096],f32>, !torch.vtensor<[4096,4096],f32> -> !torch.vtensor<[4096,4096],f32>
    return %5 : !torch.vtensor<[4096,4096],f32>
  }
}
