// Says on standard output where it meets a NaN.
// problem: relu
// expect: ok
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n && x[i] != x[i])
    printf("element %lld is NaN\n", i);
  if (i < n)
    y[i] = relu(x[i]);
}
