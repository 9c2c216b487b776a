// Few long rows: 64 blocks share each; a second launch adds their parts, always
// in the same order.
// problem: row-sum
// expect: ok
// sizes: {"rows": 4, "cols": 4194304}
// sizes-sim: {"rows": 3, "cols": 20000}
// step: {"grid": [64, "rows"], "args": ["x", "part", {"i64": "cols"}]}
// step: {"entry": "finish", "grid": "rows", "block": 32, "args": ["part", "y"]}
// buffer: {"name": "part", "sizeBytes": "rows * 64 * 4"}
__device__ float warpSum(float v) {
  for (int h = 16; h; h /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, h);
  return v;
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ part, long long cols) {
  __shared__ float warps[8];
  x += blockIdx.y * cols;
  float sum = 0;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < cols; i += 64 * 256)
    sum += x[i];
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w)
      sum += warps[w];
    part[blockIdx.y * 64 + blockIdx.x] = sum;
  }
}
extern "C" __global__ void finish(const float *part, float *y) {
  part += blockIdx.x * 64;
  float sum = warpSum(part[threadIdx.x] + part[threadIdx.x + 32]);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}
