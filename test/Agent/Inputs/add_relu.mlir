func.func @main(%x: !torch.vtensor<[512,1024],f32>, %y: !torch.vtensor<[512,1024],f32>) -> !torch.vtensor<[512,1024],f32> {
  %one = torch.constant.int 1
  %sum = torch.aten.add.Tensor %x, %y, %one : !torch.vtensor<[512,1024],f32>, !torch.vtensor<[512,1024],f32>, !torch.int -> !torch.vtensor<[512,1024],f32>
  %z = torch.aten.relu %sum : !torch.vtensor<[512,1024],f32> -> !torch.vtensor<[512,1024],f32>
  return %z : !torch.vtensor<[512,1024],f32>
}
