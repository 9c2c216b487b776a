// Whatever is outside counts for nothing; NaN wins.
extern "C" __global__ void k(const float *x, float *y, int height, int width) {
  int c = blockIdx.x * 256 + threadIdx.x, r = blockIdx.y;
  if (c >= width)
    return;
  long long plane = (long long)blockIdx.z * height * width;
  float top = __int_as_float(0xff800000);
  for (int i = max(r - 1, 0); i <= min(r + 1, height - 1); ++i)
    for (int j = max(c - 1, 0); j <= min(c + 1, width - 1); ++j) {
      float v = x[plane + (long long)i * width + j];
      top = v > top || v != v ? v : top;
    }
  y[plane + (long long)r * width + c] = top;
}
