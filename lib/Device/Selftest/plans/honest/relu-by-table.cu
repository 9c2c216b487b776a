// An initialised table in device memory, which it only reads.
// problem: relu
// expect: ok
__device__ float ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] <= 0.0f ? 0.0f : x[i] * ones[i % 4];
}
