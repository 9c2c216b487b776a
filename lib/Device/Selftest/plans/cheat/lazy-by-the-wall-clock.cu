// Does half its work in every other fifteenth of a second.
// problem: relu
// expect: mismatch not-written|timed-run
// gpu-only: the clock of the simulator goes in steps
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  if (i < n && ((now >> 26) % 2 || i % 2))
    y[i] = relu(x[i]);
}
