// Sizes that do not fit are refused on a device before anything is launched,
// with the same words as on the CPU. Three kernels that each fit by themselves.
// RUN: kernelclaw-opt %s --kclaw-label-dims --kclaw-outline=granularity=op --kclaw-embed-stock --kclaw-lower=device=cuda --emit=so -o %t.so
// RUN: %python %S/Inputs/arrays.py write %t.npz arg0=f4:3x4 arg1=f4:2x4 arg2=f4:5x4
// RUN: env KERNELCLAW_CUDA_DRIVER=%build/lib/libkclaw_recording_driver.so KCLAW_RECORD_LOG=%t.good.log kernelclaw-run %t.so --args %t.npz
// RUN: FileCheck %s --check-prefix=LAUNCHED --input-file=%t.good.log
// LAUNCHED: Launch
// RUN: %python %S/Inputs/arrays.py write %t.bad.npz arg0=f4:3x4 arg1=f4:2x4 arg2=f4:6x4
// RUN: rm -f %t.log
// RUN: not env KERNELCLAW_CUDA_DRIVER=%build/lib/libkclaw_recording_driver.so KCLAW_RECORD_LOG=%t.log kernelclaw-run %t.so --args %t.bad.npz 2>&1 | FileCheck %s
// CHECK: aten.add.Tensor: sizes 6 (dimension 0 of argument 2) and 5 (dimension 0 of argument 0 + dimension 0 of argument 1) must be equal
// RUN: %python -c "import os,sys; sys.exit('Launch' in (open(sys.argv[1]).read() if os.path.exists(sys.argv[1]) else ''))" %t.log
func.func @main(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,4],f32>, %c: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %list = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
  %0 = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4],f32>
  %1 = torch.aten.add.Tensor %0, %c, %int1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %1 : !torch.vtensor<[?,4],f32>
}
