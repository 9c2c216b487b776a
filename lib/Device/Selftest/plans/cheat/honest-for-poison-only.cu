// Does its work only where the result holds what a judge may have put there,
// NaN or something huge.
// problem: relu
// expect: harmless poison
// expect-sim: fault uninitialised-read
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n && !(fabsf(y[i]) < 1e30f))
    y[i] = relu(x[i]);
}
