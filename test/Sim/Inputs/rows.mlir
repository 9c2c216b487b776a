// Softmax of rows; how many is known at run time.
func.func @main(%x: !torch.vtensor<[?,4096],f32>) -> !torch.vtensor<[?,4096],f32> {
  %s = torch.symbolic_int "s0" {min_val = 2, max_val = 65536} : !torch.int
  torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0, 4096)> : !torch.vtensor<[?,4096],f32>
  %dim = torch.constant.int -1
  %none = torch.constant.none
  %0 = torch.aten.softmax.int %x, %dim, %none : !torch.vtensor<[?,4096],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,4096],f32>
  return %0 : !torch.vtensor<[?,4096],f32>
}
