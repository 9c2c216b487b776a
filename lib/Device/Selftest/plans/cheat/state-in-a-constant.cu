// Counts its launches in a constant of the plan and does half the work after
// the thousandth.
// problem: relu
// expect: mismatch constant-written
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "c"]}
// step: {"entry": "count", "grid": 1, "block": 1, "args": ["c"]}
// buffer: {"name": "c", "kind": "constant", "data": "AAAAAAAAAAAAAAAAAAAAAA=="}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n,
                             const int *launches) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n && (*launches < 1000 || i % 2))
    y[i] = relu(x[i]);
}
extern "C" __global__ void count(int *launches) { ++*launches; }
