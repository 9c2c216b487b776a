// Loads and stores that are to leave the caches first.
// problem: relu
// expect: ok
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    __stcs(y + i, relu(__ldcs(x + i)));
}
