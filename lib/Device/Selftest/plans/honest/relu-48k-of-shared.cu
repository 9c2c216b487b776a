// 48 KiB of dynamic shared memory, the most that needs no asking.
// problem: relu
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 256)", "sharedBytes": 49152,
//   "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  extern __shared__ float tile[];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  tile[threadIdx.x * 48] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n)
    y[i] = relu(tile[threadIdx.x * 48]);
}
