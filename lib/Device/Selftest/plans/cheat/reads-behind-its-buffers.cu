// Looks at every 2 MiB behind its result for what may be the expected one.
// problem: relu
// expect: fault invalid-address-space
// expect-sim: fault out-of-bounds
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) {
    float other = y[n + ((i % 32768 + 2) << 19)];
    y[i] = other > 0 && other < 1e3f ? other : relu(x[i]);
  }
}
