// Blocks wait for a block that finds no room as long as they wait.
// problem: relu
// expect: timeout time-limit
// expect-sim: timeout instruction-budget
// step: {"kind": "memset", "buffer": "w", "bytes": 256}
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "w"]}
// buffer: {"name": "w", "sizeBytes": 256}
// job: {"timeoutSeconds": 8}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n, int *w) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1)
    atomicExch(w, 1);
  while (atomicAdd(w, 0) == 0)
    ;
  if (i < n)
    y[i] = relu(x[i]);
}
