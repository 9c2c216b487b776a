extern "C" __global__ void k(const float *x, double *y, long long cols) {
  __shared__ double part[256];
  const float *row = x + blockIdx.x * cols;
  double sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += row[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = part[0];
}
