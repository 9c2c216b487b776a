// 16-bit floats accumulate in f32 or wider and round once.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/TM08-accumulate-wide-args.npz --expect %S/Inputs/TM08-accumulate-wide-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,1024],bf16>, %arg1: !torch.vtensor<[1024,1],bf16>, %arg2: !torch.vtensor<[1000],bf16>, %arg3: !torch.vtensor<[4096],f16>, %arg4: !torch.vtensor<[1,4096],f16>, %arg5: !torch.vtensor<[1,512],bf16>, %arg6: !torch.vtensor<[1],bf16>, %arg7: !torch.vtensor<[1,1024],bf16>, %arg8: !torch.vtensor<[1024,1],bf16>, %arg9: !torch.vtensor<[1,512,3,3],bf16>, %arg10: !torch.vtensor<[1,512,3,3],bf16>) -> (!torch.vtensor<[1,1],bf16>, !torch.vtensor<[],bf16>, !torch.vtensor<[],f16>, !torch.vtensor<[1,4096],f16>, !torch.vtensor<[1,512],bf16>, !torch.vtensor<[1,1],bf16>, !torch.vtensor<[1,1,1,1],bf16>) {
    %0 = torch.aten.matmul %arg0, %arg1 : !torch.vtensor<[1,1024],bf16>, !torch.vtensor<[1024,1],bf16> -> !torch.vtensor<[1,1],bf16>
    %none = torch.constant.none
    %1 = torch.aten.sum %arg2, %none : !torch.vtensor<[1000],bf16>, !torch.none -> !torch.vtensor<[],bf16>
    %none_0 = torch.constant.none
    %2 = torch.aten.sum %arg3, %none_0 : !torch.vtensor<[4096],f16>, !torch.none -> !torch.vtensor<[],f16>
    %int1 = torch.constant.int 1
    %none_1 = torch.constant.none
    %3 = torch.aten.softmax.int %arg4, %int1, %none_1 : !torch.vtensor<[1,4096],f16>, !torch.int, !torch.none -> !torch.vtensor<[1,4096],f16>
    %int1_2 = torch.constant.int 1
    %none_3 = torch.constant.none
    %4 = torch.aten.softmax.int %arg5, %int1_2, %none_3 : !torch.vtensor<[1,512],bf16>, !torch.int, !torch.none -> !torch.vtensor<[1,512],bf16>
    %int1_4 = torch.constant.int 1
    %int1_5 = torch.constant.int 1
    %5 = torch.aten.addmm %arg6, %arg7, %arg8, %int1_4, %int1_5 : !torch.vtensor<[1],bf16>, !torch.vtensor<[1,1024],bf16>, !torch.vtensor<[1024,1],bf16>, !torch.int, !torch.int -> !torch.vtensor<[1,1],bf16>
    %none_6 = torch.constant.none
    %int1_7 = torch.constant.int 1
    %int1_8 = torch.constant.int 1
    %6 = torch.prim.ListConstruct %int1_7, %int1_8 : (!torch.int, !torch.int) -> !torch.list<int>
    %int0 = torch.constant.int 0
    %int0_9 = torch.constant.int 0
    %7 = torch.prim.ListConstruct %int0, %int0_9 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_10 = torch.constant.int 1
    %int1_11 = torch.constant.int 1
    %8 = torch.prim.ListConstruct %int1_10, %int1_11 : (!torch.int, !torch.int) -> !torch.list<int>
    %int1_12 = torch.constant.int 1
    %9 = torch.aten.conv2d %arg9, %arg10, %none_6, %6, %7, %8, %int1_12 : !torch.vtensor<[1,512,3,3],bf16>, !torch.vtensor<[1,512,3,3],bf16>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,1,1],bf16>
    return %0, %1, %2, %3, %4, %5, %9 : !torch.vtensor<[1,1],bf16>, !torch.vtensor<[],bf16>, !torch.vtensor<[],f16>, !torch.vtensor<[1,4096],f16>, !torch.vtensor<[1,512],bf16>, !torch.vtensor<[1,1],bf16>, !torch.vtensor<[1,1,1,1],bf16>
  }
}
