// Writes its own result over what lies behind its buffers, so that an expected
// result there agrees with it.
// problem: relu
// expect: fault invalid-address-space
// expect-sim: fault out-of-bounds
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = y[n + ((i % 32768 + 2) << 19)] = x[i];
}
