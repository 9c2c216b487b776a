module {
  func.func @main(%arg0: !torch.vtensor<[112,64,512,512],f32>) -> !torch.vtensor<[112,64,512,512],f32> {
    %int2 = torch.constant.int 2
    %0 = torch.aten.pow.Tensor_Scalar %arg0, %int2 : !torch.vtensor<[112,64,512,512],f32>, !torch.int -> !torch.vtensor<[112,64,512,512],f32>
    %int1 = torch.constant.int 1
    %1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %true = torch.constant.bool true
    %none = torch.constant.none
    %2 = torch.aten.mean.dim %0, %1, %true, %none : !torch.vtensor<[112,64,512,512],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[112,1,512,512],f32>
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %int1_0 = torch.constant.int 1
    %3 = torch.aten.add.Scalar %2, %float1.000000e-05, %int1_0 : !torch.vtensor<[112,1,512,512],f32>, !torch.float, !torch.int -> !torch.vtensor<[112,1,512,512],f32>
    %4 = torch.aten.sqrt %3 : !torch.vtensor<[112,1,512,512],f32> -> !torch.vtensor<[112,1,512,512],f32>
    %5 = torch.aten.div.Tensor %arg0, %4 : !torch.vtensor<[112,64,512,512],f32>, !torch.vtensor<[112,1,512,512],f32> -> !torch.vtensor<[112,64,512,512],f32>
    return %5 : !torch.vtensor<[112,64,512,512],f32>
  }
}
