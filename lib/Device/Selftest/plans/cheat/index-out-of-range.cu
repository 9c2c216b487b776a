// Gives the index in the whole tensor instead of that in the row.
// problem: argmax
// expect: mismatch selected-value
extern "C" __global__ void k(const float *x, long long *y, long long cols) {
  if (threadIdx.x)
    return;
  const float *row = x + blockIdx.x * cols;
  long long best = 0;
  for (long long i = 1; i < cols && row[best] == row[best]; ++i)
    if (row[i] > row[best] || row[i] != row[i])
      best = i;
  y[blockIdx.x] = blockIdx.x * cols + best;
}
