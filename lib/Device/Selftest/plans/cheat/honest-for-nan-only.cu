// Does its work where it finds NaN in the result, and half of it elsewhere.
// problem: relu
// expect: nondeterministic two-runs
// expect-sim: fault uninitialised-read
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = y[i] != y[i] ? relu(x[i]) : x[i];
}
