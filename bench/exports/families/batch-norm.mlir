module {
  func.func @main(%arg0: !torch.vtensor<[64],f32>, %arg1: !torch.vtensor<[64],f32>, %arg2: !torch.vtensor<[64],f32>, %arg3: !torch.vtensor<[64],f32>, %arg4: !torch.vtensor<[],si64>, %arg5: !torch.vtensor<[64,64,512,512],f32>) -> (!torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[64,64,512,512],f32>) {
    %int1 = torch.constant.int 1
    %int1_0 = torch.constant.int 1
    %0 = torch.aten.add.Scalar %arg4, %int1, %int1_0 : !torch.vtensor<[],si64>, !torch.int, !torch.int -> !torch.vtensor<[],si64>
    %true = torch.constant.bool true
    %float1.000000e-01 = torch.constant.float 1.000000e-01
    %float1.000000e-05 = torch.constant.float 1.000000e-05
    %1:5 = torch.operator "torch.aten._native_batch_norm_legit_functional"(%arg5, %arg0, %arg1, %arg2, %arg3, %true, %float1.000000e-01, %float1.000000e-05) : (!torch.vtensor<[64,64,512,512],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.bool, !torch.float, !torch.float) -> (!torch.vtensor<[64,64,512,512],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>) 
    return %1#3, %1#4, %0, %1#0 : !torch.vtensor<[64],f32>, !torch.vtensor<[64],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[64,64,512,512],f32>
  }
}
