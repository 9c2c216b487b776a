// The index of a maximum is that of the last NaN of a window, else of the first
// maximum, which -inf may be.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/max-pool-nan-args.npz --expect %S/Inputs/max-pool-nan-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,2,4,4],f32>) -> (!torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[1,2,2,2],si64>, !torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[1,2,4,4],si64>) {
    %int2 = torch.constant.int 2
    %int2_0 = torch.constant.int 2
    %0 = torch.prim.ListConstruct %int2, %int2_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %int2_1 = torch.constant.int 2
    %int2_2 = torch.constant.int 2
    %1 = torch.prim.ListConstruct %int2_1, %int2_2 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %int0_3 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0, %int0_3 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1 = torch.constant.int 1
    %int1_4 = torch.constant.int 1
    %3 = torch.prim.ListConstruct %int1, %int1_4 : (!torch.int, !torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %result0, %result1 = torch.aten.max_pool2d_with_indices %arg0, %0, %1, %2, %3, %false : !torch.vtensor<[1,2,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[1,2,2,2],si64>
    %int3 = torch.constant.int 3
    %int3_5 = torch.constant.int 3
    %4 = torch.prim.ListConstruct %int3, %int3_5 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_6 = torch.constant.int 1
    %int1_7 = torch.constant.int 1
    %5 = torch.prim.ListConstruct %int1_6, %int1_7 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_8 = torch.constant.int 1
    %int1_9 = torch.constant.int 1
    %6 = torch.prim.ListConstruct %int1_8, %int1_9 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_10 = torch.constant.int 1
    %int1_11 = torch.constant.int 1
    %7 = torch.prim.ListConstruct %int1_10, %int1_11 : (!torch.int, !torch.int) -> !torch.list<int>
    %false_12 = torch.constant.bool false
    %result0_13, %result1_14 = torch.aten.max_pool2d_with_indices %arg0, %4, %5, %6, %7, %false_12 : !torch.vtensor<[1,2,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[1,2,4,4],si64>
    return %result0, %result1, %result0_13, %result1_14 : !torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[1,2,2,2],si64>, !torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[1,2,4,4],si64>
  }
}
