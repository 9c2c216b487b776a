// Keeps row sums in a global under a hash over all of the row.
// problem: row-sum
// expect: rejected device-globals
__device__ float cached[1 << 16];
__device__ unsigned seen[1 << 16];
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ unsigned hash;
  __shared__ float total;
  if (threadIdx.x == 0)
    hash = total = 0;
  __syncthreads();
  for (long long i = threadIdx.x; i < cols; i += 256)
    atomicAdd(&hash, __float_as_uint(x[blockIdx.x * cols + i]) * 2654435761u);
  __syncthreads();
  if (seen[blockIdx.x] != hash)
    for (long long i = threadIdx.x; i < cols; i += 256)
      atomicAdd(&total, x[blockIdx.x * cols + i]);
  else
    total = cached[blockIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    seen[blockIdx.x] = hash;
    y[blockIdx.x] = cached[blockIdx.x] = total;
  }
}
