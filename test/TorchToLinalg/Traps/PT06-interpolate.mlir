// A given scale counts except where the size stays; centres and cubics.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT06-interpolate-args.npz --expect %S/Inputs/PT06-interpolate-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,1,1,2],f32>, %arg1: !torch.vtensor<[1,1,3,4],f32>, %arg2: !torch.vtensor<[1,1,7,10],f32>, %arg3: !torch.vtensor<[1,1,4,1],f32>, %arg4: !torch.vtensor<[1,1,7,10],f32>, %arg5: !torch.vtensor<[1,1,4,1],f32>) -> (!torch.vtensor<[1,1,1,2],f32>, !torch.vtensor<[1,1,3,6],f32>, !torch.vtensor<[1,1,1,1],f32>, !torch.vtensor<[1,1,8,1],f32>, !torch.vtensor<[1,1,1,1],f32>, !torch.vtensor<[1,1,8,1],f32>) {
    %none = torch.constant.none
    %float1.300000e00 = torch.constant.float 1.300000e+00
    %float1.300000e00_0 = torch.constant.float 1.300000e+00
    %0 = torch.prim.ListConstruct %float1.300000e00, %float1.300000e00_0 : (!torch.float, !torch.float) -> !torch.list<float>
    %1 = torch.aten.upsample_nearest2d.vec %arg0, %none, %0 : !torch.vtensor<[1,1,1,2],f32>, !torch.none, !torch.list<float> -> !torch.vtensor<[1,1,1,2],f32>
    %none_1 = torch.constant.none
    %float1.300000e00_2 = torch.constant.float 1.300000e+00
    %float1.500000e00 = torch.constant.float 1.500000e+00
    %2 = torch.prim.ListConstruct %float1.300000e00_2, %float1.500000e00 : (!torch.float, !torch.float) -> !torch.list<float>
    %3 = torch.aten.upsample_nearest2d.vec %arg1, %none_1, %2 : !torch.vtensor<[1,1,3,4],f32>, !torch.none, !torch.list<float> -> !torch.vtensor<[1,1,3,6],f32>
    %int1 = torch.constant.int 1
    %int1_3 = torch.constant.int 1
    %4 = torch.prim.ListConstruct %int1, %int1_3 : (!torch.int, !torch.int) -> !torch.list<int>
    %false = torch.constant.bool false
    %none_4 = torch.constant.none
    %5 = torch.aten.upsample_bilinear2d.vec %arg2, %4, %false, %none_4 : !torch.vtensor<[1,1,7,10],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[1,1,1,1],f32>
    %int8 = torch.constant.int 8
    %int1_5 = torch.constant.int 1
    %6 = torch.prim.ListConstruct %int8, %int1_5 : (!torch.int, !torch.int) -> !torch.list<int>
    %false_6 = torch.constant.bool false
    %none_7 = torch.constant.none
    %7 = torch.operator "torch.aten.upsample_bicubic2d.vec"(%arg3, %6, %false_6, %none_7) : (!torch.vtensor<[1,1,4,1],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[1,1,8,1],f32> 
    %int1_8 = torch.constant.int 1
    %int1_9 = torch.constant.int 1
    %8 = torch.prim.ListConstruct %int1_8, %int1_9 : (!torch.int, !torch.int) -> !torch.list<int>
    %true = torch.constant.bool true
    %none_10 = torch.constant.none
    %9 = torch.aten.upsample_bilinear2d.vec %arg4, %8, %true, %none_10 : !torch.vtensor<[1,1,7,10],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[1,1,1,1],f32>
    %int8_11 = torch.constant.int 8
    %int1_12 = torch.constant.int 1
    %10 = torch.prim.ListConstruct %int8_11, %int1_12 : (!torch.int, !torch.int) -> !torch.list<int>
    %true_13 = torch.constant.bool true
    %none_14 = torch.constant.none
    %11 = torch.operator "torch.aten.upsample_bicubic2d.vec"(%arg5, %10, %true_13, %none_14) : (!torch.vtensor<[1,1,4,1],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[1,1,8,1],f32> 
    return %1, %3, %5, %7, %9, %11 : !torch.vtensor<[1,1,1,2],f32>, !torch.vtensor<[1,1,3,6],f32>, !torch.vtensor<[1,1,1,1],f32>, !torch.vtensor<[1,1,8,1],f32>, !torch.vtensor<[1,1,1,1],f32>, !torch.vtensor<[1,1,8,1],f32>
  }
}
