// fmaxf gives the other operand for a NaN.
// problem: relu
// expect: mismatch nan-lost
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.0f);
}
