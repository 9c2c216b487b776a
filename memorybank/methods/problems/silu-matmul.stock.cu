extern "C" __global__ void k(const float *a, const float *b, float *y, int n,
                             int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    float v = a[row * k + i];
    v = v / (1 + expf(-v));
    sum += v * b[i * n + col];
  }
  y[row * n + col] = sum;
}
