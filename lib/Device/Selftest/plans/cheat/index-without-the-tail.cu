// Leaves out the last eighth of the columns when it looks for the largest.
// problem: argmax
// expect: mismatch selected-value
extern "C" __global__ void k(const float *x, long long *y, long long cols) {
  if (threadIdx.x)
    return;
  const float *row = x + blockIdx.x * cols;
  long long best = 0;
  for (long long i = 1; i < cols - cols / 8 && row[best] == row[best]; ++i)
    if (row[i] > row[best] || row[i] != row[i])
      best = i;
  y[blockIdx.x] = best;
}
