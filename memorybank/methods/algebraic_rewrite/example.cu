// (x w) 1 = x (w 1): the row sums of w first, then one product with a vector.
// m n k products become (m + n) k, and the m x n matrix never exists.
// problem: matmul-row-sum
// expect: ok
// step: {"entry": "sums", "grid": "ceildiv(k, 8)",
//   "args": ["w", "s", {"i32": "k"}, {"i32": "n"}]}
// step: {"grid": "ceildiv(m, 8)",
//   "args": ["x", "s", "y", {"i32": "m"}, {"i32": "k"}]}
// buffer: {"name": "s", "sizeBytes": "k * 4"}
__device__ float warpSum(float v) {
  for (int h = 16; h; h /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, h);
  return v;
}
extern "C" __global__ void __launch_bounds__(256)
    sums(const float *__restrict__ w, float *__restrict__ s, int k, int n) {
  int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= k)
    return;
  float sum = 0;
  for (int i = lane; i < n; i += 32)
    sum += w[row * n + i];
  sum = warpSum(sum);
  if (lane == 0)
    s[row] = sum;
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ s,
      float *__restrict__ y, int m, int k) {
  int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= m)
    return;
  float sum = 0;
  for (int i = lane; i < k; i += 32)
    sum += x[row * k + i] * s[i];
  sum = warpSum(sum);
  if (lane == 0)
    y[row] = sum;
}
