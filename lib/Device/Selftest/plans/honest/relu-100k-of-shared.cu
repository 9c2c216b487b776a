// 100 KiB of dynamic shared memory.
// problem: relu
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 1024)", "block": 1024,
//   "sharedBytes": 102400, "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  extern __shared__ float tile[];
  long long i = blockIdx.x * 1024ll + threadIdx.x;
  tile[threadIdx.x * 25] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n)
    y[i] = relu(tile[threadIdx.x * 25]);
}
