// Changes an element of its input, by a pointer that is now this, now that.
// problem: relu
// expect: mismatch input-written
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
  float *to = i % 32 == 13 ? const_cast<float *>(x) : y;
  if (i / 32 == 2)
    to[i] = 3.0f * (to == x) + relu(x[i]);
}
