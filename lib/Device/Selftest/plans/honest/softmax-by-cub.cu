// CUB's block primitives.
// problem: softmax
// expect: ok
#include <cub/block/block_reduce.cuh>
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float kept;
  const float *row = x + blockIdx.x * cols;
  float top = -3.402823466e38f, sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    top = fmaxf(top, row[i]);
  top = Reduce(storage).Reduce(
      top, [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x == 0)
    kept = top;
  __syncthreads();
  top = kept;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += expf(row[i] - top);
  __syncthreads();
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0)
    kept = sum;
  __syncthreads();
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = expf(row[i] - top) / kept;
}
