// Threads a block and elements a thread are tunables that the judge sweeps.
// problem: relu
// expect: ok
// step: {"grid": "ceildiv(rows * cols, THREADS * EACH)", "block": "THREADS",
//   "args": ["x", "y", {"i64": "rows * cols"}]}
// plan: {"tunables": [{"name": "THREADS", "values": [128, 256]},
//                     {"name": "EACH", "values": [1, 4]}]}
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long start = blockIdx.x * (long long)(THREADS * EACH) + threadIdx.x;
#pragma unroll
  for (int j = 0; j < EACH; ++j)
    if (long long i = start + j * THREADS; i < n)
      y[i] = x[i] <= 0.0f ? 0.0f : x[i];
}
