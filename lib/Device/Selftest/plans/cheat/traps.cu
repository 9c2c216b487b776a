// Ends by a trap, as a failed check of a library does.
// problem: relu
// expect: fault
// expect-sim: fault trap
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
  if (i == 7)
    __trap();
}
