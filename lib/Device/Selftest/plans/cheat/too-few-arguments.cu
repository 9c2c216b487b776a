// Passes fewer arguments than the kernel takes.
// problem: relu
// expect: launch_error arguments
// step: {"grid": "ceildiv(rows * cols, 256)", "args": ["x", "y"]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
