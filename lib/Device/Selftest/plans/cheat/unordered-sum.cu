// Adds floats in the order in which the atomics come, where the same bits in
// each run were asked for.
// problem: row-sum
// expect: nondeterministic deterministic
// gpu-only: the simulator runs a block's threads in one order
// job: {"deterministic": true}
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
