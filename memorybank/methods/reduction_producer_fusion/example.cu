// What is reduced is made where it is added: the squared difference exists only
// in a register. Both inputs are read once, one number a row is written.
// problem: row-mse
// expect: ok
// step: {"grid": "rows", "args": ["a", "b", "y", {"i64": "cols"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, long long cols) {
  __shared__ float warps[8];
  a += blockIdx.x * cols;
  b += blockIdx.x * cols;
  float sum = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < cols; i += 256) {
    float d = a[i] - b[i]; // the producer
    sum += d * d;
  }
  for (int h = 16; h; h /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, h);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x)
    return;
  for (int w = 1; w < 8; ++w)
    sum += warps[w];
  y[blockIdx.x] = sum / cols; // and what follows the sum, here too
}
