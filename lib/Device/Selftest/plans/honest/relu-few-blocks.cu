// As many blocks as there are multiprocessors; each goes over the data in strides.
// problem: relu
// expect: ok
// step: {"grid": 132, "block": 1024, "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  for (long long i = blockIdx.x * 1024ll + threadIdx.x; i < n;
       i += gridDim.x * 1024ll)
    y[i] = relu(x[i]);
}
