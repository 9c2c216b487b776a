// Identities of 8-bit minima and maxima, signed and unsigned.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT13-min-max-identity-args.npz --expect %S/Inputs/PT13-min-max-identity-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[18],ui8>, %arg1: !torch.vtensor<[18],ui8>, %arg2: !torch.vtensor<[18],ui8>, %arg3: !torch.vtensor<[18],ui8>, %arg4: !torch.vtensor<[18],si8>, %arg5: !torch.vtensor<[18],si8>, %arg6: !torch.vtensor<[18],si8>, %arg7: !torch.vtensor<[18],si8>, %arg8: !torch.vtensor<[18],si8>, %arg9: !torch.vtensor<[18],si8>, %arg10: !torch.vtensor<[18],si8>, %arg11: !torch.vtensor<[18],si8>, %arg12: !torch.vtensor<[19],ui8>) -> (!torch.vtensor<[],ui8>, !torch.vtensor<[],ui8>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si8>, !torch.vtensor<[],si8>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si8>, !torch.vtensor<[],si8>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],ui8>) {
    %int0 = torch.constant.int 0
    %0 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %1 = torch.aten.amin %arg3, %0, %false : !torch.vtensor<[18],ui8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],ui8>
    %int0_0 = torch.constant.int 0
    %2 = torch.prim.ListConstruct %int0_0 : (!torch.int) -> !torch.list<int>
    %false_1 = torch.constant.bool false
    %3 = torch.aten.amax %arg3, %2, %false_1 : !torch.vtensor<[18],ui8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],ui8>
    %none = torch.constant.none
    %false_2 = torch.constant.bool false
    %4 = torch.aten.argmin %arg3, %none, %false_2 : !torch.vtensor<[18],ui8>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_3 = torch.constant.none
    %false_4 = torch.constant.bool false
    %5 = torch.aten.argmax %arg3, %none_3, %false_4 : !torch.vtensor<[18],ui8>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %int0_5 = torch.constant.int 0
    %6 = torch.prim.ListConstruct %int0_5 : (!torch.int) -> !torch.list<int>
    %false_6 = torch.constant.bool false
    %7 = torch.aten.amin %arg7, %6, %false_6 : !torch.vtensor<[18],si8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],si8>
    %int0_7 = torch.constant.int 0
    %8 = torch.prim.ListConstruct %int0_7 : (!torch.int) -> !torch.list<int>
    %false_8 = torch.constant.bool false
    %9 = torch.aten.amax %arg7, %8, %false_8 : !torch.vtensor<[18],si8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],si8>
    %none_9 = torch.constant.none
    %false_10 = torch.constant.bool false
    %10 = torch.aten.argmin %arg7, %none_9, %false_10 : !torch.vtensor<[18],si8>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_11 = torch.constant.none
    %false_12 = torch.constant.bool false
    %11 = torch.aten.argmax %arg7, %none_11, %false_12 : !torch.vtensor<[18],si8>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %int0_13 = torch.constant.int 0
    %12 = torch.prim.ListConstruct %int0_13 : (!torch.int) -> !torch.list<int>
    %false_14 = torch.constant.bool false
    %13 = torch.aten.amin %arg11, %12, %false_14 : !torch.vtensor<[18],si8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],si8>
    %int0_15 = torch.constant.int 0
    %14 = torch.prim.ListConstruct %int0_15 : (!torch.int) -> !torch.list<int>
    %false_16 = torch.constant.bool false
    %15 = torch.aten.amax %arg11, %14, %false_16 : !torch.vtensor<[18],si8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],si8>
    %none_17 = torch.constant.none
    %false_18 = torch.constant.bool false
    %16 = torch.aten.argmin %arg11, %none_17, %false_18 : !torch.vtensor<[18],si8>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %none_19 = torch.constant.none
    %false_20 = torch.constant.bool false
    %17 = torch.aten.argmax %arg11, %none_19, %false_20 : !torch.vtensor<[18],si8>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
    %int0_21 = torch.constant.int 0
    %18 = torch.prim.ListConstruct %int0_21 : (!torch.int) -> !torch.list<int>
    %false_22 = torch.constant.bool false
    %19 = torch.aten.amax %arg12, %18, %false_22 : !torch.vtensor<[19],ui8>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],ui8>
    return %1, %3, %4, %5, %7, %9, %10, %11, %13, %15, %16, %17, %19 : !torch.vtensor<[],ui8>, !torch.vtensor<[],ui8>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si8>, !torch.vtensor<[],si8>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si8>, !torch.vtensor<[],si8>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],ui8>
  }
}
