// One call: product, bias and activation by the library. The weight is n x k as
// a linear layer stores it: `transposed`, no copy. No code of our own.
// problem: linear-relu
// expect: ok
// step: {"kind": "matmul", "a": {"buffer": "x", "ld": "k", "dtype": "f32"},
//   "b": {"buffer": "w", "ld": "k", "dtype": "f32", "transposed": true},
//   "d": {"buffer": "y", "ld": "n", "dtype": "f32"},
//   "m": "m", "n": "n", "k": "k", "compute": "f32",
//   "epilogue": "bias_relu", "bias": {"buffer": "b"}, "workspace": "ws"}
// buffer: {"name": "ws", "sizeBytes": 33554432}
// plan: {"modules": []}
