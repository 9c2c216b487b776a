// The weight is transposed once, when it is loaded. In each call neighbouring
// threads then read neighbouring words of it, without a detour.
// problem: linear-relu
// expect: ok
// prepare: {"entry": "pack", "grid": ["ceildiv(k, 32)", "ceildiv(n, 32)"],
//   "block": [32, 8], "args": ["w", "p", {"i32": "n"}, {"i32": "k"}]}
// step: {"grid": ["ceildiv(n, 256)", "m / 4"],
//   "args": ["x", "p", "b", "y", {"i32": "n"}, {"i32": "k"}]}
// buffer: {"name": "p", "kind": "persistent", "sizeBytes": "n * k * 4"}
extern "C" __global__ void pack(const float *w, float *p, int n, int k) {
  __shared__ float tile[32][33];
  int lane = threadIdx.x, c0 = blockIdx.x * 32, r0 = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8)
    if (r0 + r < n && c0 + lane < k)
      tile[r][lane] = w[(r0 + r) * k + c0 + lane];
  __syncthreads();
  for (int c = threadIdx.y; c < 32; c += 8)
    if (c0 + c < k && r0 + lane < n)
      p[(c0 + c) * n + r0 + lane] = tile[lane][c];
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ p,
      const float *__restrict__ b, float *__restrict__ y, int n, int k) {
  int col = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y * 4;
  if (col >= n)
    return;
  float sum[4] = {};
  for (int i = 0; i < k; ++i) {
    float w = p[i * n + col];
#pragma unroll
    for (int r = 0; r < 4; ++r)
      sum[r] += x[(row + r) * k + i] * w;
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    float v = sum[r] + b[col];
    y[(row + r) * n + col] = v <= 0.0f ? 0.0f : v;
  }
}
