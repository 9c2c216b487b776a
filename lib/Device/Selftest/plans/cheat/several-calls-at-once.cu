// Notes its arguments in globals and does the work of four calls in the fourth.
// problem: relu
// expect: rejected device-globals
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
__device__ const float *from[4];
__device__ float *to[4];
__device__ int calls;
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  int call = calls;
  from[call % 4] = x;
  to[call % 4] = y;
  if (call % 4 == 3 && i < n)
    for (int j = 0; j < 4; ++j)
      to[j][i] = relu(from[j][i]);
  if (i == n - 1)
    calls = call + 1;
}
