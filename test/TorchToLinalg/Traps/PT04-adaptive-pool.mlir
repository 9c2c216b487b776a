// Adaptive windows that do not divide the input.
// RUN: kernelclaw-run %s --device=cpu --args %S/Inputs/PT04-adaptive-pool-args.npz --expect %S/Inputs/PT04-adaptive-pool-expected.npz
// Exported by torch-mlir; the expected values are those of PyTorch on the CPU.

module {
  func.func @main(%arg0: !torch.vtensor<[1,1,5,5],f32>, %arg1: !torch.vtensor<[1,1,10],f32>, %arg2: !torch.vtensor<[1,1,5],f32>, %arg3: !torch.vtensor<[1,1,2],f32>) -> (!torch.vtensor<[1,1,3,3],f32>, !torch.vtensor<[1,1,3,3],si64>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,4],f32>) {
    %int3 = torch.constant.int 3
    %int3_0 = torch.constant.int 3
    %0 = torch.prim.ListConstruct %int3, %int3_0 : (!torch.int, !torch.int) -> !torch.list<int>
    %result0, %result1 = torch.aten.adaptive_max_pool2d %arg0, %0 : !torch.vtensor<[1,1,5,5],f32>, !torch.list<int> -> !torch.vtensor<[1,1,3,3],f32>, !torch.vtensor<[1,1,3,3],si64>
    %int3_1 = torch.constant.int 3
    %1 = torch.prim.ListConstruct %int3_1 : (!torch.int) -> !torch.list<int>
    %2 = torch.aten.adaptive_avg_pool1d %arg1, %1 : !torch.vtensor<[1,1,10],f32>, !torch.list<int> -> !torch.vtensor<[1,1,3],f32>
    %int3_2 = torch.constant.int 3
    %3 = torch.prim.ListConstruct %int3_2 : (!torch.int) -> !torch.list<int>
    %4 = torch.aten.adaptive_avg_pool1d %arg2, %3 : !torch.vtensor<[1,1,5],f32>, !torch.list<int> -> !torch.vtensor<[1,1,3],f32>
    %int4 = torch.constant.int 4
    %5 = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
    %6 = torch.aten.adaptive_avg_pool1d %arg3, %5 : !torch.vtensor<[1,1,2],f32>, !torch.list<int> -> !torch.vtensor<[1,1,4],f32>
    return %result0, %result1, %2, %4, %6 : !torch.vtensor<[1,1,3,3],f32>, !torch.vtensor<[1,1,3,3],si64>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,4],f32>
  }
}
