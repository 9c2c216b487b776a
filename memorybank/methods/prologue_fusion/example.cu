// The activation of the left operand is applied once an element and tile, on
// the way from memory into shared memory: silu(a) is never stored.
// problem: silu-matmul
// expect: ok
__device__ float silu(float v) { return v / (1.0f + expf(-v)); }
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int n, int k) {
  __shared__ float as[16][17], bs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[ty][tx] = t + tx < k ? silu(a[row * k + t + tx]) : 0.0f;
    bs[ty][tx] = t + ty < k ? b[(t + ty) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i)
      sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  y[row * n + col] = sum;
}
