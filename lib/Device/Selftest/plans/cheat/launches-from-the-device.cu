// Starts the work from the device on a stream of its own, so that it runs on
// when the timed step has ended.
// problem: relu
// expect: compile_error compile
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void work(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
extern "C" __global__ void k(const float *x, float *y, long long n) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    work<<<(n + 255) / 256, 256, 0, cudaStreamFireAndForget>>>(x, y, n);
}
