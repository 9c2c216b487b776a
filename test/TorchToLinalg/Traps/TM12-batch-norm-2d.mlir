// Eval batch norm of a rank-2 input.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/TM12-batch-norm-2d-args.npz --expect %S/Inputs/TM12-batch-norm-2d-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>, %arg3: !torch.vtensor<[3],f32>, %arg4: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> {
    %false = torch.constant.bool false
    %float1.000000e-01 = torch.constant.float 1.000000e-01
    %float9.999990e-13 = torch.constant.float 9.9999999999999998E-13
    %false_0 = torch.constant.bool false
    %0 = torch.aten.batch_norm %arg0, %arg3, %arg4, %arg1, %arg2, %false, %float1.000000e-01, %float9.999990e-13, %false_0 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[2,3],f32>
    return %0 : !torch.vtensor<[2,3],f32>
  }
}
