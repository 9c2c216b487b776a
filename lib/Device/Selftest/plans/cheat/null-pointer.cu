// Goes through a null pointer.
// problem: relu
// expect: fault illegal-address
// expect-sim: fault out-of-bounds
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  const float *nothing = x + i - (reinterpret_cast<unsigned long long>(x) / 4 + i);
  if (i < n)
    y[i] = relu(x[i] + *const_cast<const volatile float *>(nothing));
}
