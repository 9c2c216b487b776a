// Every other block returns at once.
// problem: relu
// expect: mismatch not-written
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (blockIdx.x % 2 == 0 && i < n)
    y[i] = relu(x[i]);
}
