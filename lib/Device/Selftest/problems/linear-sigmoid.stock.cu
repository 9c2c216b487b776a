extern "C" __global__ void k(const float *x, const float *w, float *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += x[row * k + i] * w[i * n + col];
  y[row * n + col] = 1 / (1 + expf(-sum));
}
