extern "C" __global__ void k(const float *x, double *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] / (1.0 + exp((double)-x[i]));
}
