// NaN passes relu, clamp, maximum and hardtanh; the maximum of clamp wins.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT05-nan-clamp-args.npz --expect %S/Inputs/PT05-nan-clamp-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[7],f16>, %arg1: !torch.vtensor<[7],f16>, %arg2: !torch.vtensor<[7],f16>, %arg3: !torch.vtensor<[7],f16>, %arg4: !torch.vtensor<[7],f16>, %arg5: !torch.vtensor<[7],f16>) -> (!torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>) {
    %float5.000000e-01 = torch.constant.float 5.000000e-01
    %0 = torch.aten.clamp_min %arg5, %float5.000000e-01 : !torch.vtensor<[7],f16>, !torch.float -> !torch.vtensor<[7],f16>
    %1 = torch.aten.maximum %arg5, %arg2 : !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16> -> !torch.vtensor<[7],f16>
    %2 = torch.aten.relu %arg5 : !torch.vtensor<[7],f16> -> !torch.vtensor<[7],f16>
    %float-1.000000e00 = torch.constant.float -1.000000e+00
    %float1.000000e00 = torch.constant.float 1.000000e+00
    %3 = torch.aten.hardtanh %arg5, %float-1.000000e00, %float1.000000e00 : !torch.vtensor<[7],f16>, !torch.float, !torch.float -> !torch.vtensor<[7],f16>
    %int1 = torch.constant.int 1
    %int-1 = torch.constant.int -1
    %4 = torch.aten.clamp %arg5, %int1, %int-1 : !torch.vtensor<[7],f16>, !torch.int, !torch.int -> !torch.vtensor<[7],f16>
    return %0, %1, %2, %3, %4 : !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>, !torch.vtensor<[7],f16>
  }
}
