__device__ double blockSum(double value) {
  __shared__ double part[256];
  part[threadIdx.x] = value;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  value = part[0];
  __syncthreads();
  return value;
}
extern "C" __global__ void k(const float *x, double *y, long long cols) {
  const float *row = x + blockIdx.x * cols;
  double sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += row[i];
  double mean = blockSum(sum) / cols;
  double square = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    square += (row[i] - mean) * (row[i] - mean);
  double scale = 1.0 / sqrt(blockSum(square) / cols + 1e-5);
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = (row[i] - mean) * scale;
}
