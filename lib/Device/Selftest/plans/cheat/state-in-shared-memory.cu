// Takes what an earlier block left in shared memory for a sign that the work is
// done.
// problem: relu
// expect: fault uninitialised-read
// sim-only: what a GPU leaves in shared memory is not said anywhere
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  __shared__ volatile int sign[1];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (sign[0] == 0x13579bdf)
    return;
  if (i < n)
    y[i] = relu(x[i]);
  __syncthreads();
  sign[0] = 0x13579bdf;
}
