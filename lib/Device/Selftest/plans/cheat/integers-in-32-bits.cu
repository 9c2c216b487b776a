// Multiplies 64-bit integers in 32 bits.
// problem: times-billion
// expect: mismatch exact-value
extern "C" __global__ void k(const long long *x, long long *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = (int)x[i] * (int)1000000000;
}
