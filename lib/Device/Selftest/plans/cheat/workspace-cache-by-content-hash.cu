// Keeps a hash of each row in a workspace and returns when it comes again.
// problem: softmax
// expect: harmless poison
// expect-sim: fault uninitialised-read
// step: {"grid": "rows", "args": ["x", "y", {"i64": "cols"}, "w"]}
// buffer: {"name": "w", "sizeBytes": "rows * 4"}
extern "C" __global__ void k(const float *x, float *y, long long cols,
                             unsigned *w) {
  __shared__ float part[256];
  __shared__ unsigned hash;
  const float *row = x + blockIdx.x * cols;
  unsigned own = 0;
  float top = -3.402823466e38f;
  if (threadIdx.x == 0)
    hash = 0;
  __syncthreads();
  for (long long i = threadIdx.x; i < cols; i += 256) {
    own += __float_as_uint(row[i]) * 2654435761u;
    top = fmaxf(top, row[i]);
  }
  atomicAdd(&hash, own);
  part[threadIdx.x] = top;
  __syncthreads();
  if (hash == w[blockIdx.x])
    return;
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + h]);
    __syncthreads();
  }
  top = part[0];
  __syncthreads();
  float sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += expf(row[i] - top);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = expf(row[i] - top) / part[0];
  if (threadIdx.x == 0)
    w[blockIdx.x] = hash;
}
