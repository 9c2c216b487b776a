// What the plans of step_plans.py compute; how many rows is known at run time.
func.func @main(%x: !torch.vtensor<[?,256],f32>) -> !torch.vtensor<[?,256],f32> {
  %s = torch.symbolic_int "s0" {min_val = 2, max_val = 512} : !torch.int
  torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0, 256)> : !torch.vtensor<[?,256],f32>
  %0 = torch.aten.relu %x : !torch.vtensor<[?,256],f32> -> !torch.vtensor<[?,256],f32>
  return %0 : !torch.vtensor<[?,256],f32>
}
