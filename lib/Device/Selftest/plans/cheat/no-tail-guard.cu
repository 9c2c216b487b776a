// The threads behind the end write too: the last block hangs over.
// problem: relu-odd
// expect: fault guard-band
// expect-sim: fault out-of-bounds
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  y[i] = i < n ? relu(x[i]) : 0.0f;
}
