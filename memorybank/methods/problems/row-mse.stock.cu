extern "C" __global__ void k(const float *a, const float *b, float *y,
                             long long cols) {
  a += blockIdx.x * cols;
  b += blockIdx.x * cols;
  float sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 32) {
    float d = (float)a[i] - b[i];
    sum += d * d;
  }
  for (int h = 16; h; h /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, h);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum / cols;
}
