// Counts its launches in an initialised global and does half the work after the
// twelfth.
// problem: relu
// expect: rejected device-globals
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}]}
// step: {"entry": "count", "grid": 1, "block": 1, "args": []}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
__device__ int launches = 1;
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n && (launches <= 12 || i % 2))
    y[i] = relu(x[i]);
}
extern "C" __global__ void count() { ++launches; }
