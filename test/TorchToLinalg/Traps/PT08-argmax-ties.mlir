// The first NaN wins, then the first of equal values.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT08-argmax-ties-args.npz --expect %S/Inputs/PT08-argmax-ties-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],f32>, %arg2: !torch.vtensor<[3],f32>, %arg3: !torch.vtensor<[3],f32>, %arg4: !torch.vtensor<[3],f32>, %arg5: !torch.vtensor<[3],f32>, %arg6: !torch.vtensor<[3],f32>, %arg7: !torch.vtensor<[3],f32>, %arg8: !torch.vtensor<[4],f32>, %arg9: !torch.vtensor<[4],f32>, %arg10: !torch.vtensor<[3],f32>, %arg11: !torch.vtensor<[3],f32>, %arg12: !torch.vtensor<[2],f32>, %arg13: !torch.vtensor<[2],f32>, %arg14: !torch.vtensor<[1,3],f32>, %arg15: !torch.vtensor<[1000],f32>) -> (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[],si64>) {
    %none = torch.constant.none
    %false = torch.constant.bool false
    %0 = torch.aten.argmax %arg0, %none, %false : !torch.vtensor<[4],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_0 = torch.constant.none
    %false_1 = torch.constant.bool false
    %1 = torch.aten.argmin %arg1, %none_0, %false_1 : !torch.vtensor<[4],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_2 = torch.constant.none
    %false_3 = torch.constant.bool false
    %2 = torch.aten.argmax %arg2, %none_2, %false_3 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_4 = torch.constant.none
    %false_5 = torch.constant.bool false
    %3 = torch.aten.argmin %arg3, %none_4, %false_5 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_6 = torch.constant.none
    %false_7 = torch.constant.bool false
    %4 = torch.aten.argmax %arg4, %none_6, %false_7 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_8 = torch.constant.none
    %false_9 = torch.constant.bool false
    %5 = torch.aten.argmin %arg5, %none_8, %false_9 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_10 = torch.constant.none
    %false_11 = torch.constant.bool false
    %6 = torch.aten.argmax %arg6, %none_10, %false_11 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_12 = torch.constant.none
    %false_13 = torch.constant.bool false
    %7 = torch.aten.argmin %arg7, %none_12, %false_13 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_14 = torch.constant.none
    %false_15 = torch.constant.bool false
    %8 = torch.aten.argmax %arg8, %none_14, %false_15 : !torch.vtensor<[4],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_16 = torch.constant.none
    %false_17 = torch.constant.bool false
    %9 = torch.aten.argmin %arg9, %none_16, %false_17 : !torch.vtensor<[4],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_18 = torch.constant.none
    %false_19 = torch.constant.bool false
    %10 = torch.aten.argmax %arg10, %none_18, %false_19 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_20 = torch.constant.none
    %false_21 = torch.constant.bool false
    %11 = torch.aten.argmin %arg11, %none_20, %false_21 : !torch.vtensor<[3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_22 = torch.constant.none
    %false_23 = torch.constant.bool false
    %12 = torch.aten.argmax %arg12, %none_22, %false_23 : !torch.vtensor<[2],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_24 = torch.constant.none
    %false_25 = torch.constant.bool false
    %13 = torch.aten.argmin %arg13, %none_24, %false_25 : !torch.vtensor<[2],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %int1 = torch.constant.int 1
    %false_26 = torch.constant.bool false
    %values, %indices = torch.aten.max.dim %arg14, %int1, %false_26 : !torch.vtensor<[1,3],f32>, !torch.int, !torch.bool -> !torch.vtensor<[1],f32>, !torch.vtensor<[1],si64>
    %none_27 = torch.constant.none
    %false_28 = torch.constant.bool false
    %14 = torch.aten.argmax %arg15, %none_27, %false_28 : !torch.vtensor<[1000],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %values, %indices, %14 : !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[],si64>
  }
}
