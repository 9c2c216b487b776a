// Keeps its result in the L2 for the kernel after it.
// problem: relu
// expect: ok
// gpu-only: the simulator has no createpolicy
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;"
               : "=l"(policy));
  if (i < n)
    asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(y + i),
                 "f"(relu(x[i])), "l"(policy)
                 : "memory");
}
