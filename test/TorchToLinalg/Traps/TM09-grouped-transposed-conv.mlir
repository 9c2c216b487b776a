// Groups split the input channels of a transposed weight.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/TM09-grouped-transposed-conv-args.npz --expect %S/Inputs/TM09-grouped-transposed-conv-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,4,2],f32>, %arg1: !torch.vtensor<[4,3,2],f32>, %arg2: !torch.vtensor<[1,2,1,1],f32>, %arg3: !torch.vtensor<[2,1,2,2],f32>) -> (!torch.vtensor<[1,6,3],f32>, !torch.vtensor<[1,2,2,2],f32>) {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %1 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
    %int0_0 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0_0 : (!torch.int) -> !torch.list<int>
    %int2 = torch.constant.int 2
    %int1_1 = torch.constant.int 1
    %3 = torch.prim.ListConstruct %int1_1 : (!torch.int) -> !torch.list<int>
    %4 = torch.aten.conv_transpose1d %arg0, %arg1, %none, %0, %1, %2, %int2, %3 : !torch.vtensor<[1,4,2],f32>, !torch.vtensor<[4,3,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[1,6,3],f32>
    %none_2 = torch.constant.none
    %int1_3 = torch.constant.int 1
    %int1_4 = torch.constant.int 1
    %5 = torch.prim.ListConstruct %int1_3, %int1_4 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0_5 = torch.constant.int 0
    %int0_6 = torch.constant.int 0
    %6 = torch.prim.ListConstruct %int0_5, %int0_6 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0_7 = torch.constant.int 0
    %int0_8 = torch.constant.int 0
    %7 = torch.prim.ListConstruct %int0_7, %int0_8 : (!torch.int, !torch.int) -> !torch.list<int>
    %int2_9 = torch.constant.int 2
    %int1_10 = torch.constant.int 1
    %int1_11 = torch.constant.int 1
    %8 = torch.prim.ListConstruct %int1_10, %int1_11 : (!torch.int, !torch.int) -> !torch.list<int>
    %9 = torch.aten.conv_transpose2d.input %arg2, %arg3, %none_2, %5, %6, %7, %int2_9, %8 : !torch.vtensor<[1,2,1,1],f32>, !torch.vtensor<[2,1,2,2],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[1,2,2,2],f32>
    return %4, %9 : !torch.vtensor<[1,6,3],f32>, !torch.vtensor<[1,2,2,2],f32>
  }
}
