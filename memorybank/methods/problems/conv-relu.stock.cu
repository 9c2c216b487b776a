extern "C" __global__ void k(const float *x, const float *w, const float *b,
                             float *y, int channels, int width) {
  int row = blockIdx.x, height = gridDim.x, o = blockIdx.y;
  x += (long long)blockIdx.z * channels * height * width;
  y += (((long long)blockIdx.z * gridDim.y + o) * height + row) * width;
  for (int col = threadIdx.x; col < width; col += 64) {
    float sum = 0;
    for (int c = 0; c < channels; ++c)
      for (int t = 0; t < 9; ++t) {
        int i = row + t / 3 - 1, j = col + t % 3 - 1;
        if (i >= 0 && i < height && j >= 0 && j < width)
          sum += (float)x[(c * height + i) * width + j] *
                 w[(o * channels + c) * 9 + t];
      }
    sum += b[o];
    y[col] = sum <= 0 ? 0 : sum;
  }
}
