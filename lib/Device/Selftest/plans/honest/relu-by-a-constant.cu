// Two numbers in a constant of the plan.
// problem: relu
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", "y", {"i64": "rows * cols"}, "c"]}
// buffer: {"name": "c", "kind": "constant", "data": "AAAAAAAAgD8="}
extern "C" __global__ void k(const float *x, float *y, long long n,
                             const float *c) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] <= c[0] ? c[0] : x[i] * c[1];
}
