// As torch-mlir exports a model with stack traces: a call site's callee is the
// innermost frame. The last two functions hold equal regions.
!f = !torch.vtensor<[64,32],f32>
!g = !torch.vtensor<[128,16],f32>
func.func @main(%x: !f, %y: !f) -> !f {
  %one = torch.constant.int 1
  %sum = torch.aten.add.Tensor %x, %y, %one : !f, !f, !torch.int -> !f loc(#add)
  %z = torch.aten.relu %sum : !f -> !f loc(#relu)
  return %z : !f
}
func.func @left(%x: !g) -> !g {
  %z = torch.aten.tanh %x : !g -> !g loc("/src/left.py":3:0)
  return %z : !g
}
func.func @right(%x: !g) -> !g {
  %z = torch.aten.tanh %x : !g -> !g loc("/src/right.py":4:0)
  return %z : !g
}
#forward = loc("/src/model.py":40:0)
#add = loc(callsite("/src/model.py":12:0 at #forward))
#relu = loc(callsite("/src/layers.py":7:0 at #forward))
