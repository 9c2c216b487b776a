// Ignored rows, also all of them, with smoothing and weights.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT18-cross-entropy-ignored-args.npz --expect %S/Inputs/PT18-cross-entropy-ignored-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,3],f32>, %arg1: !torch.vtensor<[1],si64>, %arg2: !torch.vtensor<[1,3],f32>, %arg3: !torch.vtensor<[1],si64>, %arg4: !torch.vtensor<[1,3],f32>, %arg5: !torch.vtensor<[1],si64>, %arg6: !torch.vtensor<[2,2],f32>, %arg7: !torch.vtensor<[2],si64>, %arg8: !torch.vtensor<[2,2],f32>, %arg9: !torch.vtensor<[2],si64>, %arg10: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) {
    %none = torch.constant.none
    %int1 = torch.constant.int 1
    %int-1 = torch.constant.int -1
    %float0.000000e00 = torch.constant.float 0.000000e+00
    %0 = torch.aten.cross_entropy_loss %arg0, %arg1, %none, %int1, %int-1, %float0.000000e00 : !torch.vtensor<[1,3],f32>, !torch.vtensor<[1],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32>
    %none_0 = torch.constant.none
    %int0 = torch.constant.int 0
    %int-1_1 = torch.constant.int -1
    %float0.000000e00_2 = torch.constant.float 0.000000e+00
    %1 = torch.aten.cross_entropy_loss %arg2, %arg3, %none_0, %int0, %int-1_1, %float0.000000e00_2 : !torch.vtensor<[1,3],f32>, !torch.vtensor<[1],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[1],f32>
    %none_3 = torch.constant.none
    %int2 = torch.constant.int 2
    %int-1_4 = torch.constant.int -1
    %float0.000000e00_5 = torch.constant.float 0.000000e+00
    %2 = torch.aten.cross_entropy_loss %arg4, %arg5, %none_3, %int2, %int-1_4, %float0.000000e00_5 : !torch.vtensor<[1,3],f32>, !torch.vtensor<[1],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32>
    %none_6 = torch.constant.none
    %int1_7 = torch.constant.int 1
    %int-100 = torch.constant.int -100
    %float1.000000e-01 = torch.constant.float 1.000000e-01
    %3 = torch.aten.cross_entropy_loss %arg6, %arg7, %none_6, %int1_7, %int-100, %float1.000000e-01 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2],si64>, !torch.none, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32>
    %int1_8 = torch.constant.int 1
    %int-100_9 = torch.constant.int -100
    %float1.000000e-01_10 = torch.constant.float 1.000000e-01
    %4 = torch.aten.cross_entropy_loss %arg8, %arg9, %arg10, %int1_8, %int-100_9, %float1.000000e-01_10 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>, !torch.int, !torch.int, !torch.float -> !torch.vtensor<[],f32>
    return %0, %1, %2, %3, %4 : !torch.vtensor<[],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
  }
}
