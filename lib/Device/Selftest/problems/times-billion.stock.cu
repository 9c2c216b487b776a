extern "C" __global__ void k(const long long *x, long long *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 1000000000ll;
}
