// Does not read its weights, which are often ones.
// problem: scale
// expect: mismatch budget
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             long long n, long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}
