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
