// Wrong here and there, as the clock says.
// problem: relu
// expect: mismatch budget
// gpu-only: the clock of the simulator goes in steps
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = (clock64() & 63) < 8 ? 1.5f : relu(x[i]);
}
