// A static array one element over the 48 KiB that static ones may have.
// problem: relu
// expect: compile_error compile
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  __shared__ float tile[12289];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    tile[threadIdx.x * 48] = relu(x[i]);
  __syncthreads();
  if (i < n)
    y[i] = tile[threadIdx.x * 48];
}
