// Stops at the largest finite number.
// problem: relu
// expect: mismatch infinity-lost
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] <= 0.0f               ? 0.0f
           : x[i] > 3.402823466e38f ? 3.402823466e38f
                                      : x[i];
}
