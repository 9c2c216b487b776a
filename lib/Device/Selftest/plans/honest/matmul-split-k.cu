// Four blocks an output, added by float atomics into a cleared result.
// problem: matmul
// expect: ok
// step: {"kind": "memset", "buffer": "y", "bytes": "m * n * 4"}
// step: {"grid": ["n / 16", "m / 16", 4], "block": [16, 16],
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
extern "C" __global__ void k(const float *a, const float *b, float *y, int n,
                             int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.z; i < k; i += 4)
    sum += a[row * k + i] * b[i * n + col];
  atomicAdd(y + row * n + col, sum);
}
