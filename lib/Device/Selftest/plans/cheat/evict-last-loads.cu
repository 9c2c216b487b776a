// Loads with an L2 policy of evict_last, so that its input outlives a flush.
// problem: row-sum
// expect: harmless cold-l2
// gpu-only: the simulator has no createpolicy
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float part[256];
  const float *row = x + blockIdx.x * cols;
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;"
               : "=l"(policy));
  float sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256) {
    float v;
    asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;"
                 : "=f"(v)
                 : "l"(row + i), "l"(policy));
    sum += v;
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = part[0];
}
