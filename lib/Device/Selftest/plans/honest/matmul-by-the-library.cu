// The library's product, at the precision that the policy asks for.
// problem: matmul
// expect: ok
// step: {"kind": "matmul", "a": {"buffer": "a", "ld": "k", "dtype": "f32"},
//   "b": {"buffer": "b", "ld": "n", "dtype": "f32"},
//   "d": {"buffer": "y", "ld": "n", "dtype": "f32"},
//   "m": "m", "n": "n", "k": "k", "compute": "f32"}
// plan: {"modules": []}
