// Unsigned bytes are noted while types say so; arguments are not writable.
// RUN: kernelclaw-opt %s --kclaw-record-abi | FileCheck %s

// CHECK: func.func @main(%arg0: !torch.vtensor<[4],ui8> {bufferization.writable = false, claw.dtype = "u8"}
// CHECK-SAME: -> (!torch.vtensor<[4],ui8> {claw.dtype = "u8"})
func.func @main(%arg0: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],ui8> {
  return %arg0 : !torch.vtensor<[4],ui8>
}
