// Float atomics into a result that a memset has cleared: no two runs add in the
// same order.
// problem: row-sum
// expect: ok
// step: {"kind": "memset", "buffer": "y", "bytes": "rows * 4"}
// step: {"grid": ["rows", 4], "args": ["x", "y", {"i64": "cols"}]}
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  float sum = 0;
  for (long long i = blockIdx.y * 256 + threadIdx.x; i < cols; i += 1024)
    sum += x[blockIdx.x * cols + i];
  for (int h = 16; h; h /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, h);
  if (threadIdx.x % 32 == 0)
    atomicAdd(y + blockIdx.x, sum);
}
