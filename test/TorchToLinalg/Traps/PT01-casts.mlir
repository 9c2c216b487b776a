// Casts round: f16 overflow is infinite, a zero f16 variance gives NaN.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT01-casts-args.npz --expect %S/Inputs/PT01-casts-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1],f32>, %arg1: !torch.vtensor<[3,5],f16>) -> (!torch.vtensor<[1],f32>, !torch.vtensor<[3,5],f16>) {
    %none = torch.constant.none
    %none_0 = torch.constant.none
    %int6 = torch.constant.int 6
    %cpu = torch.constant.device "cpu"
    %int0 = torch.constant.int 0
    torch.aten._assert_tensor_metadata %arg0, %none, %none_0, %int6, %cpu, %int0 : !torch.vtensor<[1],f32>, !torch.none, !torch.none, !torch.int, !torch.Device, !torch.int
    %int5 = torch.constant.int 5
    %false = torch.constant.bool false
    %false_1 = torch.constant.bool false
    %none_2 = torch.constant.none
    %0 = torch.aten.to.dtype %arg0, %int5, %false, %false_1, %none_2 : !torch.vtensor<[1],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1],f16>
    %none_3 = torch.constant.none
    %none_4 = torch.constant.none
    %int6_5 = torch.constant.int 6
    %cpu_6 = torch.constant.device "cpu"
    %int0_7 = torch.constant.int 0
    torch.aten._assert_tensor_metadata %arg0, %none_3, %none_4, %int6_5, %cpu_6, %int0_7 : !torch.vtensor<[1],f32>, !torch.none, !torch.none, !torch.int, !torch.Device, !torch.int
    %int5_8 = torch.constant.int 5
    %false_9 = torch.constant.bool false
    %false_10 = torch.constant.bool false
    %none_11 = torch.constant.none
    %1 = torch.aten.to.dtype %arg0, %int5_8, %false_9, %false_10, %none_11 : !torch.vtensor<[1],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1],f16>
    %2 = torch.aten.mul.Tensor %0, %1 : !torch.vtensor<[1],f16>, !torch.vtensor<[1],f16> -> !torch.vtensor<[1],f16>
    %none_12 = torch.constant.none
    %none_13 = torch.constant.none
    %int5_14 = torch.constant.int 5
    %cpu_15 = torch.constant.device "cpu"
    %int0_16 = torch.constant.int 0
    torch.aten._assert_tensor_metadata %2, %none_12, %none_13, %int5_14, %cpu_15, %int0_16 : !torch.vtensor<[1],f16>, !torch.none, !torch.none, !torch.int, !torch.Device, !torch.int
    %int6_17 = torch.constant.int 6
    %false_18 = torch.constant.bool false
    %false_19 = torch.constant.bool false
    %none_20 = torch.constant.none
    %3 = torch.aten.to.dtype %2, %int6_17, %false_18, %false_19, %none_20 : !torch.vtensor<[1],f16>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[1],f32>
    %int-1 = torch.constant.int -1
    %4 = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
    %int1 = torch.constant.int 1
    %true = torch.constant.bool true
    %5 = torch.aten.var.correction %arg1, %4, %int1, %true : !torch.vtensor<[3,5],f16>, !torch.list<int>, !torch.int, !torch.bool -> !torch.vtensor<[3,1],f16>
    %float1.000000e-09 = torch.constant.float 1.000000e-09
    %int1_21 = torch.constant.int 1
    %6 = torch.aten.add.Scalar %5, %float1.000000e-09, %int1_21 : !torch.vtensor<[3,1],f16>, !torch.float, !torch.int -> !torch.vtensor<[3,1],f16>
    %7 = torch.aten.rsqrt %6 : !torch.vtensor<[3,1],f16> -> !torch.vtensor<[3,1],f16>
    %8 = torch.aten.mul.Tensor %arg1, %7 : !torch.vtensor<[3,5],f16>, !torch.vtensor<[3,1],f16> -> !torch.vtensor<[3,5],f16>
    return %3, %8 : !torch.vtensor<[1],f32>, !torch.vtensor<[3,5],f16>
  }
}
