extern "C" __global__ void k(const float *x, const float *f, float *y, int n,
                             int c, int o, int h, int w) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n * o * h * w)
    return;
  int col = i % w, row = i / w % h, out = i / (w * h) % o;
  x += (long long)i / (w * h) / o * c * h * w;
  f += out * c * 9;
  float sum = 0;
  for (int j = 0; j < c; ++j)
    for (int t = 0; t < 9; ++t) {
      int r = row + t / 3 - 1, s = col + t % 3 - 1;
      bool there = r >= 0 && r < h && s >= 0 && s < w;
      sum += (there ? x[(j * h + r) * w + s] : 0.0f) * f[j * 9 + t];
    }
  y[i] = sum;
}
