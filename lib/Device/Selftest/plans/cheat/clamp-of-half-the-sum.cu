// Leaves out the second half of the sum: most results stay at the same end.
// problem: linear-clamp
// expect: mismatch budget
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = k / 2 - 1; i >= 0; --i)
    sum += x[row * k + i] * w[i * n + col];
  y[row * n + col] = sum < -1 ? -1 : sum > 1 ? 1 : sum;
}
