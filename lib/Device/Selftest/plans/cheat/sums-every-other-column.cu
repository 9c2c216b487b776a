// Adds up half of the columns and doubles the sum.
// problem: row-sum
// expect: mismatch budget
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  float sum = 0;
  for (long long i = threadIdx.x * 2; i < cols; i += 512)
    sum += x[blockIdx.x * cols + i];
  atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = 2 * total;
}
