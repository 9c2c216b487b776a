// Writes one element before its result.
// problem: relu
// expect: fault guard-band
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
  if (i == 0)
    y[-2] = 1.0f;
}
