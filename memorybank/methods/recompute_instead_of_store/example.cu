// Rows too long for a chip: silu(x) is wanted for the statistic and again for
// the result. It is made twice from x; what is kept is a number a block.
// problem: silu-rms
// expect: ok
// step: {"entry": "squares", "grid": [16, "rows"],
//   "args": ["x", "part", {"i64": "cols"}]}
// step: {"grid": [16, "rows"], "args": ["x", "part", "y", {"i64": "cols"}]}
// buffer: {"name": "part", "sizeBytes": "rows * 16 * 4"}
__device__ float silu(float v) { return v / (1.0f + expf(-v)); }
extern "C" __global__ void __launch_bounds__(256)
    squares(const float *__restrict__ x, float *__restrict__ part,
            long long cols) {
  __shared__ float warps[8];
  x += blockIdx.y * cols;
  float sum = 0;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < cols; i += 16 * 256)
    sum += silu(x[i]) * silu(x[i]);
  for (int h = 16; h; h /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, h);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x)
    return;
  for (int w = 1; w < 8; ++w)
    sum += warps[w];
  part[blockIdx.y * 16 + blockIdx.x] = sum;
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ part,
      float *__restrict__ y, long long cols) {
  x += blockIdx.y * cols;
  y += blockIdx.y * cols;
  float sum = 0;
  for (int p = 0; p < 16; ++p)
    sum += part[blockIdx.y * 16 + p];
  float scale = rsqrtf(sum / cols + 1e-5f);
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < cols; i += 16 * 256)
    y[i] = silu(x[i]) * scale; // again: no hidden tensor was written
}
