// Both layers for one slice of rows after the other: the hidden values of a
// slice (8 MiB) are written, read from L2 and written over by the next slice.
// problem: mlp
// expect: ok
// step: {"kind": "repeat", "name": "i", "count": "m / min(m, 2048)", "steps": [
//   {"kind": "matmul", "m": "min(m, 2048)", "n": "d", "k": "k",
//    "a": {"buffer": "x", "offset": "i * 2048 * k * 4", "ld": "k",
//          "dtype": "f32"},
//    "b": {"buffer": "u", "ld": "d", "dtype": "f32"},
//    "d": {"buffer": "h", "ld": "d", "dtype": "f32"}, "compute": "f32"},
//   {"kind": "kernel", "module": "m", "entry": "k", "block": 256,
//    "grid": "ceildiv(min(m, 2048) * d, 1024)",
//    "args": ["h", {"i64": "min(m, 2048) * d / 4"}]},
//   {"kind": "matmul", "m": "min(m, 2048)", "n": "n", "k": "d",
//    "a": {"buffer": "h", "ld": "d", "dtype": "f32"},
//    "b": {"buffer": "v", "ld": "n", "dtype": "f32"},
//    "d": {"buffer": "y", "offset": "i * 2048 * n * 4", "ld": "n",
//          "dtype": "f32"}, "compute": "f32"}]}
// buffer: {"name": "h", "sizeBytes": "min(m, 2048) * d * 4"}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void __launch_bounds__(256)
    k(float4 *h, long long packets) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= packets)
    return;
  float4 v = h[i];
  h[i] = make_float4(relu(v.x), relu(v.y), relu(v.z), relu(v.w));
}
