module {
  func.func @main(%arg0: !torch.vtensor<[32768,32768],f32>, %arg1: !torch.vtensor<[32768,32768],f32>) -> !torch.vtensor<[],f32> {
    %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[32768,32768],f32>, !torch.vtensor<[32768,32768],f32>) -> !torch.list<vtensor>
    %1 = torch.aten.broadcast_tensors %0 : !torch.list<vtensor> -> !torch.list<vtensor>
    %2:2 = torch.prim.ListUnpack %1 : !torch.list<vtensor> -> !torch.vtensor<[32768,32768],f32>, !torch.vtensor<[32768,32768],f32>
    %int1 = torch.constant.int 1
    %float1.000000e00 = torch.constant.float 1.000000e+00
    %3 = torch.operator "torch.aten.smooth_l1_loss"(%2#0, %2#1, %int1, %float1.000000e00) : (!torch.vtensor<[32768,32768],f32>, !torch.vtensor<[32768,32768],f32>, !torch.int, !torch.float) -> !torch.vtensor<[],f32> 
    return %3 : !torch.vtensor<[],f32>
  }
}
