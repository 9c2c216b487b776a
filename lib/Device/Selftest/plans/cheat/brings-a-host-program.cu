// A main() that launches the kernel itself.
// problem: relu
// expect: compile_error compile
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = relu(x[i]);
}
__host__ int main() {
  float *x = nullptr, *y = nullptr;
  k<<<1, 256>>>(x, y, 256);
  return cudaDeviceSynchronize();
}
