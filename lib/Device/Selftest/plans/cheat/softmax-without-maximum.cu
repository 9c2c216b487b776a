// Leaves out the largest value of the row: overflows where values are large.
// problem: softmax
// expect: mismatch spurious-non-finite
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float part[256];
  const float *row = x + blockIdx.x * cols;
  float sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += expf(row[i]);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = expf(row[i]) / part[0];
}
