// f32 throughout, from the last term to the first; most results are clamped.
// problem: linear-clamp
// expect: ok
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = k - 1; i >= 0; --i)
    sum += x[row * k + i] * w[i * n + col];
  y[row * n + col] = sum < -1 ? -1 : sum > 1 ? 1 : sum;
}
