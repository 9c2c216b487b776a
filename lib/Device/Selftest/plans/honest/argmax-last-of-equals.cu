// The last of equal values, where PyTorch gives the first; both are largest.
// problem: argmax
// expect: ok
// step: {"grid": "ceildiv(rows, 8)",
//   "args": ["x", "y", {"i32": "rows"}, {"i32": "cols"}]}
__device__ bool comesFirst(float a, int at, float b, int bt) {
  if (a != a || b != b)
    return a != a && (b == b || at < bt);
  return a > b || (a == b && at > bt);
}
extern "C" __global__ void k(const float *x, long long *y, int rows,
                             int cols) {
  int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  x += (long long)row * cols;
  float best = x[lane];
  int index = lane;
  for (int i = lane + 32; i < cols; i += 32)
    if (comesFirst(x[i], i, best, index)) {
      best = x[i];
      index = i;
    }
  for (int h = 16; h; h /= 2) {
    float other = __shfl_xor_sync(0xffffffffu, best, h);
    int at = __shfl_xor_sync(0xffffffffu, index, h);
    if (comesFirst(other, at, best, index)) {
      best = other;
      index = at;
    }
  }
  if (lane == 0)
    y[row] = index;
}
