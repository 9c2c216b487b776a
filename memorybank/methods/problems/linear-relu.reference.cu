extern "C" __global__ void k(const float *x, const float *w, const float *b,
                             double *y, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += (double)x[row * k + i] * w[col * k + i];
  sum += b[col];
  y[row * n + col] = sum <= 0 ? 0 : sum;
}
