// Says that the first column is the largest.
// problem: argmax
// expect: mismatch selected-value
extern "C" __global__ void k(const float *x, long long *y, long long cols) {
  if (threadIdx.x == 0)
    y[blockIdx.x] = 0;
}
