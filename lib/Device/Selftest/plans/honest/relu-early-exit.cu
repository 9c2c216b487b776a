// Whole blocks end before the others: those whose input has nothing to keep write
// zeros and return.
// problem: relu
// expect: ok
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  if (!__syncthreads_or(!(v <= 0.0f))) {
    if (i < n)
      y[i] = 0.0f;
    return;
  }
  if (i < n)
    y[i] = relu(v);
}
