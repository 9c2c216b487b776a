// Static and dynamic shared memory that are too much together.
// problem: relu
// expect: launch_error load
// step: {"grid": "ceildiv(rows * cols, 256)", "sharedBytes": 204800,
//   "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  extern __shared__ float tile[];
  __shared__ float fixed[10240];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  fixed[threadIdx.x * 40] = tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n)
    y[i] = relu(fixed[threadIdx.x * 40]);
}
