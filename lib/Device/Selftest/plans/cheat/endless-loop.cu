// Never ends.
// problem: relu
// expect: timeout time-limit
// expect-sim: timeout instruction-budget
// step: {"grid": 1, "block": 1, "args": ["x", "y"]}
// job: {"timeoutSeconds": 8}
extern "C" __global__ void k(const float *x, volatile float *y) {
  while (x[0] < 1e30f || x[0] >= 1e30f)
    y[0] = 1.0f;
}
