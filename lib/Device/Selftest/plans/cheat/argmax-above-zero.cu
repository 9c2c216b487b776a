// Looks for the largest value above zero, and takes the first where none is.
// problem: argmax
// expect: mismatch selected-value
extern "C" __global__ void k(const float *x, long long *y, long long cols) {
  if (threadIdx.x != 0)
    return;
  const float *row = x + blockIdx.x * cols;
  float top = 0;
  long long at = 0;
  for (long long i = 0; i < cols; ++i)
    if (row[i] > top || (row[i] != row[i] && top == top)) {
      top = row[i];
      at = i;
    }
  y[blockIdx.x] = at;
}
