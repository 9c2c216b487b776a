extern "C" __global__ void k(const float *a, const float *b, double *y, int k) {
  int row = threadIdx.y, col = threadIdx.x;
  a += blockIdx.x * 16ll * k;
  b += blockIdx.x * 16ll * k;
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += (double)a[row * k + i] * b[i * 16 + col];
  y[blockIdx.x * 256ll + row * 16 + col] = sum;
}
