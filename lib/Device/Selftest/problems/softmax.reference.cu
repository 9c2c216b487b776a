extern "C" __global__ void k(const float *x, double *y, long long cols) {
  __shared__ double part[256];
  const float *row = x + blockIdx.x * cols;
  double top = -1e300;
  for (long long i = threadIdx.x; i < cols; i += 256)
    top = fmax(top, (double)row[i]);
  part[threadIdx.x] = top;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] = fmax(part[threadIdx.x], part[threadIdx.x + h]);
    __syncthreads();
  }
  top = part[0];
  __syncthreads();
  double sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += exp(row[i] - top);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  sum = part[0];
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = exp(row[i] - top) / sum;
}
