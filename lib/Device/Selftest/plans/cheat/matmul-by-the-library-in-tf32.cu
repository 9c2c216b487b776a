// The library's product in TF32, where the policy asks for f32.
// problem: matmul
// expect: mismatch budget
// step: {"kind": "matmul", "a": {"buffer": "a", "ld": "k", "dtype": "f32"},
//   "b": {"buffer": "b", "ld": "n", "dtype": "f32"},
//   "d": {"buffer": "y", "ld": "n", "dtype": "f32"},
//   "m": "m", "n": "n", "k": "k", "compute": "tf32"}
// plan: {"modules": []}
