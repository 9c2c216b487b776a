// One launch for each sixteenth of the rows.
// problem: relu
// expect: ok
// step: {"kind": "repeat", "name": "part", "count": 16, "steps": [
//   {"kind": "kernel", "module": "m", "entry": "k",
//    "grid": "ceildiv(rows * cols / 16, 256)", "block": 256,
//    "args": [{"buffer": "x", "offset": "part * rows * cols / 4"},
//             {"buffer": "y", "offset": "part * rows * cols / 4"},
//             {"i64": "rows * cols / 16"}]}]}
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] <= 0.0f ? 0.0f : x[i];
}
