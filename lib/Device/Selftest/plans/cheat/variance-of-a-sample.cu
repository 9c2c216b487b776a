// Takes mean and variance of the first quarter of each row.
// problem: layer-norm
// expect: mismatch budget
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float sums[2];
  const float *row = x + blockIdx.x * cols;
  if (threadIdx.x < 2)
    sums[threadIdx.x] = 0;
  __syncthreads();
  float sum = 0, square = 0;
  for (long long i = threadIdx.x; i < cols / 4; i += 256)
    sum += row[i];
  atomicAdd(sums, sum);
  __syncthreads();
  float mean = sums[0] / (cols / 4);
  for (long long i = threadIdx.x; i < cols / 4; i += 256)
    square += (row[i] - mean) * (row[i] - mean);
  atomicAdd(sums + 1, square);
  __syncthreads();
  float scale = rsqrtf(sums[1] / (cols / 4) + 1e-5f);
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = (row[i] - mean) * scale;
}
