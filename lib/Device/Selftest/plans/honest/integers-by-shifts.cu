// Multiplies by shifts and sums, in 64 bits.
// problem: times-billion
// expect: ok
extern "C" __global__ void k(const long long *x, long long *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = (x[i] * 1953125ll) << 9;
}
