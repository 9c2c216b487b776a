// Uses its input as scratch and puts back what was there.
// problem: relu
// expect: mismatch input-written
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= n)
    return;
  volatile float *scratch = x + i;
  float kept = *scratch;
  *scratch = relu(kept);
  y[i] = *scratch;
  *scratch = kept;
}
