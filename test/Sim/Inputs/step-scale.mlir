// What `prepare` of step_plans.py computes.
func.func @main(%x: !torch.vtensor<[60,256],f32>, %w: !torch.vtensor<[256],f32> {claw.role = "param"}) -> !torch.vtensor<[60,256],f32> {
  %0 = torch.aten.mul.Tensor %x, %w : !torch.vtensor<[60,256],f32>, !torch.vtensor<[256],f32> -> !torch.vtensor<[60,256],f32>
  %1 = torch.aten.relu %0 : !torch.vtensor<[60,256],f32> -> !torch.vtensor<[60,256],f32>
  return %1 : !torch.vtensor<[60,256],f32>
}
