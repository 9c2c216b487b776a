extern "C" __global__ void k(const float *x, double *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] <= 0.0f ? 0.0 : (double)x[i];
}
