// Takes the second operand for its transpose, which has the same bytes.
// problem: matmul
// expect: mismatch budget
extern "C" __global__ void k(const float *a, const float *b, float *y, int m,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[col * k + i];
  y[row * n + col] = sum;
}
