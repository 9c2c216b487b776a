// Takes the variance as the difference of two sums, which cancel where the mean
// is large.
// problem: layer-norm
// expect: mismatch budget
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float sums[2];
  const float *row = x + blockIdx.x * cols;
  if (threadIdx.x < 2)
    sums[threadIdx.x] = 0;
  __syncthreads();
  float sum = 0, square = 0;
  for (long long i = threadIdx.x; i < cols; i += 256) {
    sum += row[i];
    square += row[i] * row[i];
  }
  atomicAdd(sums, sum);
  atomicAdd(sums + 1, square);
  __syncthreads();
  float mean = sums[0] / cols;
  float scale = rsqrtf(fmaxf(sums[1] / cols - mean * mean, 0.0f) + 1e-5f);
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = (row[i] - mean) * scale;
}
