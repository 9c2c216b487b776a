module {
  func.func @main(%arg0: !torch.vtensor<[8,256,512,256],f32>, %arg1: !torch.vtensor<[256,768],f32>) -> !torch.vtensor<[8,256,512,768],f32> {
    %str = torch.constant.str "bijl,lk->bijk"
    %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[8,256,512,256],f32>, !torch.vtensor<[256,768],f32>) -> !torch.list<vtensor>
    %none = torch.constant.none
    %1 = torch.aten.einsum %str, %0, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[8,256,512,768],f32>
    return %1 : !torch.vtensor<[8,256,512,768],f32>
  }
}
