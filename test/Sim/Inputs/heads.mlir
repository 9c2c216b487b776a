module {
  func.func @main(%arg0: !torch.vtensor<[?,?,8],f32>) -> !torch.vtensor<[?,4,?],f32> {
    %int0 = torch.constant.int 0
    %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?,?,8],f32>, !torch.int -> !torch.int
    %int1 = torch.constant.int 1
    %1 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[?,?,8],f32>, !torch.int -> !torch.int
    %int4 = torch.constant.int 4
    %int2 = torch.constant.int 2
    %2 = torch.prim.ListConstruct %0, %1, %int4, %int2 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %3 = torch.aten.view %arg0, %2 : !torch.vtensor<[?,?,8],f32>, !torch.list<int> -> !torch.vtensor<[?,?,4,2],f32>
    %int1_0 = torch.constant.int 1
    %int2_1 = torch.constant.int 2
    %4 = torch.aten.transpose.int %3, %int1_0, %int2_1 : !torch.vtensor<[?,?,4,2],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,4,?,2],f32>
    %int4_2 = torch.constant.int 4
    %5 = torch.aten.mul.int %0, %int4_2 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.mul.int %5, %1 : !torch.int, !torch.int -> !torch.int
    %int2_3 = torch.constant.int 2
    %7 = torch.aten.mul.int %6, %int2_3 : !torch.int, !torch.int -> !torch.int
    %8 = torch.aten.floordiv.int %7, %5 : !torch.int, !torch.int -> !torch.int
    %int0_4 = torch.constant.int 0
    %9 = torch.aten.clone %4, %int0_4 : !torch.vtensor<[?,4,?,2],f32>, !torch.int -> !torch.vtensor<[?,4,?,2],f32>
    %int4_5 = torch.constant.int 4
    %10 = torch.prim.ListConstruct %0, %int4_5, %8 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %11 = torch.aten._unsafe_view %9, %10 : !torch.vtensor<[?,4,?,2],f32>, !torch.list<int> -> !torch.vtensor<[?,4,?],f32>
    return %11 : !torch.vtensor<[?,4,?],f32>
  }
}
