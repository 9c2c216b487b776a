// Keeps the result of the first call in a global and returns it when the same
// pointer comes again.
// problem: relu
// expect: rejected device-globals
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
__device__ float cached[1 << 24];
__device__ const float *seen;
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= n)
    return;
  y[i] = seen == x ? cached[i] : (cached[i] = relu(x[i]));
  if (i == n - 1)
    seen = x;
}
