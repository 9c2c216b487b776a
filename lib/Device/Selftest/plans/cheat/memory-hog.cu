// A workspace larger than the device.
// problem: relu
// expect: rejected memory
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "w"]}
// buffer: {"name": "w", "sizeBytes": 1000000000000}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n, float *w) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = w[i] = relu(x[i]);
}
