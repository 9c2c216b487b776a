// A static array one element over the 227 KiB that a block may have at all.
// problem: relu
// expect: compile_error compile
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  __shared__ float tile[58113];
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    tile[threadIdx.x * 227] = relu(x[i]);
  __syncthreads();
  if (i < n)
    y[i] = tile[threadIdx.x * 227];
}
