// Full blocks run code without a single guard; only the last block runs the
// guarded copy. The choice is the same for a whole block.
// problem: huber
// expect: ok
// sizes: {"rows": 4095, "cols": 4097}
// sizes-sim: {"rows": 15, "cols": 257}
// step: {"grid": "ceildiv(rows * cols, 1024)",
//   "args": ["a", "b", "y", {"i64": "rows * cols"}]}
template <bool full>
__device__ void tile(const float *a, const float *b, float *y, int left) {
  float d[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    int i = j * 256 + threadIdx.x;
    d[j] = full || i < left ? fabsf(a[i] - b[i]) : 0.0f;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    int i = j * 256 + threadIdx.x;
    if (full || i < left)
      y[i] = d[j] < 1.0f ? 0.5f * d[j] * d[j] : d[j] - 0.5f;
  }
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, long long n) {
  long long first = blockIdx.x * 1024ll;
  if (first + 1024 <= n)
    tile<true>(a + first, b + first, y + first, 1024);
  else
    tile<false>(a + first, b + first, y + first, (int)(n - first));
}
