extern "C" __global__ void k(const float *x, const float *w, double *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += (double)x[row * k + i] * w[i * n + col];
  y[row * n + col] = 1 / (1 + exp(-sum));
}
