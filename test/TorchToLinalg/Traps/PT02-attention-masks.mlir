// Rows masked entirely give zeros; finite masks; causal with Lq != Lk.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT02-attention-masks-args.npz --expect %S/Inputs/PT02-attention-masks-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,1,2,4],f32>, %arg1: !torch.vtensor<[1,1,3,4],f32>, %arg2: !torch.vtensor<[1,1,3,4],f32>, %arg3: !torch.vtensor<[1,1,2,3],i1>, %arg4: !torch.vtensor<[1,1,2,4],f32>, %arg5: !torch.vtensor<[1,1,3,4],f32>, %arg6: !torch.vtensor<[1,1,3,4],f32>, %arg7: !torch.vtensor<[1,1,2,3],f32>, %arg8: !torch.vtensor<[1,1,2,4],f32>, %arg9: !torch.vtensor<[1,1,3,4],f32>, %arg10: !torch.vtensor<[1,1,3,4],f32>, %arg11: !torch.vtensor<[1,1,2,3],f32>, %arg12: !torch.vtensor<[1,1,2,4],f32>, %arg13: !torch.vtensor<[1,1,3,4],f32>, %arg14: !torch.vtensor<[1,1,3,4],f32>, %arg15: !torch.vtensor<[1,1,3,4],f32>, %arg16: !torch.vtensor<[1,1,2,4],f32>, %arg17: !torch.vtensor<[1,1,2,4],f32>) -> (!torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,3,4],f32>) {
    %float0.000000e00 = torch.constant.float 0.000000e+00
    %false = torch.constant.bool false
    %none = torch.constant.none
    %false_0 = torch.constant.bool false
    %0 = torch.aten.scaled_dot_product_attention %arg12, %arg13, %arg14, %arg3, %float0.000000e00, %false, %none, %false_0 : !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,2,3],i1>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[1,1,2,4],f32>
    %float0.000000e00_1 = torch.constant.float 0.000000e+00
    %false_2 = torch.constant.bool false
    %none_3 = torch.constant.none
    %false_4 = torch.constant.bool false
    %1 = torch.aten.scaled_dot_product_attention %arg12, %arg13, %arg14, %arg7, %float0.000000e00_1, %false_2, %none_3, %false_4 : !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,2,3],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[1,1,2,4],f32>
    %float0.000000e00_5 = torch.constant.float 0.000000e+00
    %false_6 = torch.constant.bool false
    %none_7 = torch.constant.none
    %false_8 = torch.constant.bool false
    %2 = torch.aten.scaled_dot_product_attention %arg12, %arg13, %arg14, %arg11, %float0.000000e00_5, %false_6, %none_7, %false_8 : !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,2,3],f32>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[1,1,2,4],f32>
    %none_9 = torch.constant.none
    %float0.000000e00_10 = torch.constant.float 0.000000e+00
    %true = torch.constant.bool true
    %none_11 = torch.constant.none
    %false_12 = torch.constant.bool false
    %3 = torch.aten.scaled_dot_product_attention %arg12, %arg13, %arg14, %none_9, %float0.000000e00_10, %true, %none_11, %false_12 : !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[1,1,2,4],f32>
    %none_13 = torch.constant.none
    %float0.000000e00_14 = torch.constant.float 0.000000e+00
    %true_15 = torch.constant.bool true
    %none_16 = torch.constant.none
    %false_17 = torch.constant.bool false
    %4 = torch.aten.scaled_dot_product_attention %arg15, %arg16, %arg17, %none_13, %float0.000000e00_14, %true_15, %none_16, %false_17 : !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[1,1,3,4],f32>
    return %0, %1, %2, %3, %4 : !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,2,4],f32>, !torch.vtensor<[1,1,3,4],f32>
  }
}
