// Reads elements behind its input and throws them away.
// problem: relu
// expect: fault out-of-bounds
// sim-only: a GPU lets reads pass wherever a page is mapped
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  float next = *const_cast<const volatile float *>(x + i + 4);
  if (i < n)
    y[i] = next == 12345.0f ? 0.0f : relu(x[i]);
}
