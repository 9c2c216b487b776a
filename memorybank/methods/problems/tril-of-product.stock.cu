extern "C" __global__ void k(const float *a, const float *b, float *y, int n,
                             int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += (float)a[row * k + i] * b[i * n + col];
  y[row * n + col] = col <= row ? sum : 0;
}
