// Two kernels that use one workspace one after the other, as the stream orders
// it, and write over what was there.
// problem: relu
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "w", {"i64": "rows * cols"}]}
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["w", "y", {"i64": "rows * cols"}]}
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["y", "w", {"i64": "rows * cols"}]}
// step: {"kind": "copy", "source": "w", "target": "y",
//   "rowBytes": "rows * cols * 4"}
// buffer: {"name": "w", "sizeBytes": "rows * cols * 4"}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
