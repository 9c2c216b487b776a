// Works at every number of rows that the spec names.
// problem: relu-sizes
// expect: ok
// plan: {"resizable": true}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
