// Asks for a kilobyte more of shared memory than a block may have.
// problem: relu
// expect: rejected plan
// step: {"grid": "ceildiv(rows * cols, 256)", "sharedBytes": 233472,
//   "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  extern __shared__ float tile[];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    tile[threadIdx.x] = y[i] = relu(x[i]);
}
