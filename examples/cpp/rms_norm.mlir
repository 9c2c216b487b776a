// RMS normalisation of each row, times a weight. The entry is called rms_norm,
// so the library exports rms_norm, rms_norm_describe and their companions.
func.func @rms_norm(%weight: !torch.vtensor<[65],f32>, %x: !torch.vtensor<[3,21,65],f32>) -> !torch.vtensor<[3,21,65],f32> {
  %int2 = torch.constant.int 2
  %0 = torch.aten.pow.Tensor_Scalar %x, %int2 : !torch.vtensor<[3,21,65],f32>, !torch.int -> !torch.vtensor<[3,21,65],f32>
  %int-1 = torch.constant.int -1
  %1 = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  %none = torch.constant.none
  %2 = torch.aten.mean.dim %0, %1, %true, %none : !torch.vtensor<[3,21,65],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[3,21,1],f32>
  %float1.000000e-05 = torch.constant.float 1.000000e-05
  %int1 = torch.constant.int 1
  %3 = torch.aten.add.Scalar %2, %float1.000000e-05, %int1 : !torch.vtensor<[3,21,1],f32>, !torch.float, !torch.int -> !torch.vtensor<[3,21,1],f32>
  %4 = torch.aten.rsqrt %3 : !torch.vtensor<[3,21,1],f32> -> !torch.vtensor<[3,21,1],f32>
  %5 = torch.aten.mul.Tensor %x, %4 : !torch.vtensor<[3,21,65],f32>, !torch.vtensor<[3,21,1],f32> -> !torch.vtensor<[3,21,65],f32>
  %6 = torch.aten.mul.Tensor %5, %weight : !torch.vtensor<[3,21,65],f32>, !torch.vtensor<[65],f32> -> !torch.vtensor<[3,21,65],f32>
  return %6 : !torch.vtensor<[3,21,65],f32>
}
