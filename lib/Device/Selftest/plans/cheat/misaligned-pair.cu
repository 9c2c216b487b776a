// Reads pairs of floats from an address between two of them.
// problem: relu
// expect: fault misaligned-address
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i + 3 < n) {
    float2 v = reinterpret_cast<const float2 *>(x + 1)[i / 2];
    y[i] = v.x + v.y;
  }
}
