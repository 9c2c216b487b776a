// Maximum and sum in one pass: the sum is scaled where the maximum grows.
// problem: softmax
// expect: ok
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float tops[256], sums[256];
  const float *row = x + blockIdx.x * cols;
  float top = -3.402823466e38f, sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256) {
    float higher = fmaxf(top, row[i]);
    sum = sum * expf(top - higher) + expf(row[i] - higher);
    top = higher;
  }
  tops[threadIdx.x] = top;
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h) {
      int o = threadIdx.x + h;
      float higher = fmaxf(tops[threadIdx.x], tops[o]);
      sums[threadIdx.x] =
          sums[threadIdx.x] * expf(tops[threadIdx.x] - higher) +
          sums[o] * expf(tops[o] - higher);
      tops[threadIdx.x] = higher;
    }
    __syncthreads();
  }
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = expf(row[i] - tops[0]) / sums[0];
}
