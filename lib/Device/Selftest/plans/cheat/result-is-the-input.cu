// Writes its input in place and hopes that the result lies on it.
// problem: relu
// expect: mismatch input-written
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", {"i64": "rows * cols"}, "y"]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(float *x, long long n, float *y) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    x[i] = relu(x[i]);
}
