// Adds into the result without clearing it first.
// problem: row-sum
// expect: mismatch spurious-non-finite
// expect-sim: fault uninitialised-read
// step: {"grid": "rows", "args": ["x", "y", {"i64": "cols"}]}
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  float sum = 0;
  for (long long i = threadIdx.x; i < cols; i += 256)
    sum += x[blockIdx.x * cols + i];
  atomicAdd(y + blockIdx.x, sum);
}
