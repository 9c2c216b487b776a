// The verifier names what would touch device memory from the host.
// RUN: kernelclaw-opt --kclaw-linalg-to-gpu --split-input-file --verify-diagnostics %s

func.func @host_store(%x: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is left on the host and would touch device memory}}
  %0 = tensor.insert %v into %x[%c0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @host_scalar(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<4xf32>
  // expected-error@+1 {{returns a host scalar of type 'f32'; a plan's results are tensors on the device}}
  return %0 : f32
}

// -----

func.func @data_size(%x: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{is left on the host and would touch device memory}}
  %v = tensor.extract %x[%c0] : tensor<1xi64>
  %n = arith.index_cast %v : i64 to index
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
