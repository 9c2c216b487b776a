extern "C" __global__ void k(const float *a, const float *b, double *y, int m,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += (double)a[i * m + row] * b[i * n + col];
  y[row * n + col] = sum;
}
