// Keeps results in a global under eight sampled elements of the input.
// problem: relu
// expect: rejected device-globals
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
__device__ float cached[1 << 24];
__device__ float seen[8];
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  bool same = true;
  for (int j = 0; j < 8; ++j)
    same &= seen[j] == x[n / 8 * j];
  if (i < n)
    y[i] = same ? cached[i] : (cached[i] = relu(x[i]));
  if (i < 8)
    seen[i] = x[n / 8 * i];
}
