// A second kernel that has something to do only where the first found negative
// values, and is told so by a flag on the device.
// problem: relu
// expect: ok
// step: {"kind": "memset", "buffer": "flag", "bytes": 4}
// step: {"kind": "copy", "source": "x", "target": "y",
//   "rowBytes": "rows * cols * 4"}
// step: {"entry": "look", "grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", {"i64": "rows * cols"}, "flag"]}
// step: {"kind": "when", "buffer": "flag", "steps": [
//   {"kind": "kernel", "module": "m", "entry": "k", "block": 256,
//    "grid": "ceildiv(rows * cols, 256)",
//    "args": ["y", {"i64": "rows * cols"}]}]}
// buffer: {"name": "flag", "sizeBytes": 256}
extern "C" __global__ void look(const float *x, long long n, int *flag) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (__syncthreads_or(i < n && x[i] <= 0.0f) && threadIdx.x == 0)
    atomicExch(flag, 1);
}
extern "C" __global__ void k(float *y, long long n, const int *flag) {
  if (*flag == 0)
    return;
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n && y[i] <= 0.0f)
    y[i] = 0.0f;
}
