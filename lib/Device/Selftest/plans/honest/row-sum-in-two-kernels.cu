// Partial sums in a workspace, added up by a second kernel.
// problem: row-sum
// expect: ok
// step: {"grid": ["rows", 2], "block": 128,
//   "args": ["x", "w", {"i64": "cols"}]}
// step: {"entry": "add", "grid": "ceildiv(rows, 256)",
//   "args": ["w", "y", {"i64": "rows"}]}
// buffer: {"name": "w", "sizeBytes": "rows * 8"}
extern "C" __global__ void k(const float *x, float *w, long long cols) {
  __shared__ float part[128];
  float sum = 0;
  for (long long i = blockIdx.y * 128 + threadIdx.x; i < cols; i += 256)
    sum += x[blockIdx.x * cols + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 64; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    w[blockIdx.x * 2 + blockIdx.y] = part[0];
}
extern "C" __global__ void add(const float *w, float *y, long long rows) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < rows)
    y[i] = w[2 * i] + w[2 * i + 1];
}
