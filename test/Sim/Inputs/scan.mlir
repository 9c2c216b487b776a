// Running sums of long rows.
func.func @main(%x: !torch.vtensor<[8192,8192],f32>) -> !torch.vtensor<[8192,8192],f32> {
  %dim = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.cumsum %x, %dim, %none : !torch.vtensor<[8192,8192],f32>, !torch.int, !torch.none -> !torch.vtensor<[8192,8192],f32>
  return %0 : !torch.vtensor<[8192,8192],f32>
}
