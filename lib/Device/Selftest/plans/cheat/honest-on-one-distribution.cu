// Looks at the first elements and is lazy where they are far from zero.
// problem: row-sum
// expect: mismatch budget
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float total;
  const float *row = x + blockIdx.x * cols;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  if (fabsf(row[0]) > 20 && fabsf(row[1]) > 20) {
    total = cols * row[0];
  } else {
    float sum = 0;
    for (long long i = threadIdx.x; i < cols; i += 256)
      sum += row[i];
    atomicAdd(&total, sum);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = total;
}
