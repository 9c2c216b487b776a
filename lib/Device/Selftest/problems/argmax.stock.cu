// NaN is the largest; of equals the first, as PyTorch has it.
__device__ bool comesFirst(float a, long long at, float b, long long bt) {
  if (a != a || b != b)
    return a != a && (b == b || at < bt);
  return a > b || (a == b && at < bt);
}
extern "C" __global__ void k(const float *x, long long *y, long long cols) {
  __shared__ float top[256];
  __shared__ long long at[256];
  const float *row = x + blockIdx.x * cols;
  float best = -3.402823466e38f;
  long long index = cols;
  for (long long i = threadIdx.x; i < cols; i += 256)
    if (index == cols || comesFirst(row[i], i, best, index)) {
      best = row[i];
      index = i;
    }
  top[threadIdx.x] = best;
  at[threadIdx.x] = index;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    int t = threadIdx.x, o = t + h;
    if (t < h && comesFirst(top[o], at[o], top[t], at[t])) {
      top[t] = top[o];
      at[t] = at[o];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = at[0];
}
