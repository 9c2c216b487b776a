// Divisors of ceil mode, explicit padding and the override.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT03-avg-pool-divisor-args.npz --expect %S/Inputs/PT03-avg-pool-divisor-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,1,7,7],f32>, %arg1: !torch.vtensor<[1,1,9],f32>, %arg2: !torch.vtensor<[1,1,9],f32>, %arg3: !torch.vtensor<[1,1,4,4],f32>, %arg4: !torch.vtensor<[1,1,4,4],f32>) -> (!torch.vtensor<[1,1,3,3],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,2,2],f32>) {
    %int2 = torch.constant.int 2
    %int2_0 = torch.constant.int 2
    %0 = torch.prim.ListConstruct %int2, %int2_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %int3 = torch.constant.int 3
    %int3_1 = torch.constant.int 3
    %1 = torch.prim.ListConstruct %int3, %int3_1 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %int0_2 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0, %int0_2 : (!torch.int, !torch.int) -> !torch.list<int>
    %true = torch.constant.bool true
    %true_3 = torch.constant.bool true
    %none = torch.constant.none
    %3 = torch.aten.avg_pool2d %arg0, %0, %1, %2, %true, %true_3, %none : !torch.vtensor<[1,1,7,7],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,1,3,3],f32>
    %int7 = torch.constant.int 7
    %4 = torch.prim.ListConstruct %int7 : (!torch.int) -> !torch.list<int>
    %int3_4 = torch.constant.int 3
    %5 = torch.prim.ListConstruct %int3_4 : (!torch.int) -> !torch.list<int>
    %int3_5 = torch.constant.int 3
    %6 = torch.prim.ListConstruct %int3_5 : (!torch.int) -> !torch.list<int>
    %true_6 = torch.constant.bool true
    %true_7 = torch.constant.bool true
    %7 = torch.aten.avg_pool1d %arg1, %4, %5, %6, %true_6, %true_7 : !torch.vtensor<[1,1,9],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool -> !torch.vtensor<[1,1,4],f32>
    %int7_8 = torch.constant.int 7
    %8 = torch.prim.ListConstruct %int7_8 : (!torch.int) -> !torch.list<int>
    %int3_9 = torch.constant.int 3
    %9 = torch.prim.ListConstruct %int3_9 : (!torch.int) -> !torch.list<int>
    %int3_10 = torch.constant.int 3
    %10 = torch.prim.ListConstruct %int3_10 : (!torch.int) -> !torch.list<int>
    %true_11 = torch.constant.bool true
    %false = torch.constant.bool false
    %11 = torch.aten.avg_pool1d %arg2, %8, %9, %10, %true_11, %false : !torch.vtensor<[1,1,9],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool -> !torch.vtensor<[1,1,4],f32>
    %int3_12 = torch.constant.int 3
    %int3_13 = torch.constant.int 3
    %12 = torch.prim.ListConstruct %int3_12, %int3_13 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1 = torch.constant.int 1
    %int1_14 = torch.constant.int 1
    %13 = torch.prim.ListConstruct %int1, %int1_14 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_15 = torch.constant.int 1
    %int1_16 = torch.constant.int 1
    %14 = torch.prim.ListConstruct %int1_15, %int1_16 : (!torch.int, !torch.int) -> !torch.list<int>
    %false_17 = torch.constant.bool false
    %false_18 = torch.constant.bool false
    %int5 = torch.constant.int 5
    %15 = torch.aten.avg_pool2d %arg3, %12, %13, %14, %false_17, %false_18, %int5 : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,1,4,4],f32>
    %int3_19 = torch.constant.int 3
    %int3_20 = torch.constant.int 3
    %16 = torch.prim.ListConstruct %int3_19, %int3_20 : (!torch.int, !torch.int) -> !torch.list<int>
    %int2_21 = torch.constant.int 2
    %int2_22 = torch.constant.int 2
    %17 = torch.prim.ListConstruct %int2_21, %int2_22 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0_23 = torch.constant.int 0
    %int0_24 = torch.constant.int 0
    %18 = torch.prim.ListConstruct %int0_23, %int0_24 : (!torch.int, !torch.int) -> !torch.list<int>
    %true_25 = torch.constant.bool true
    %true_26 = torch.constant.bool true
    %none_27 = torch.constant.none
    %19 = torch.aten.avg_pool2d %arg4, %16, %17, %18, %true_25, %true_26, %none_27 : !torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1,1,2,2],f32>
    return %3, %7, %11, %15, %19 : !torch.vtensor<[1,1,3,3],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,2,2],f32>
  }
}
