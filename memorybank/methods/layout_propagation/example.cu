// The transpose is not done: the product reads its operand as it lies. Lanes
// run along m, the inner dimension of a, so that its tiles are coalesced too.
// problem: matmul-of-transposed
// expect: ok
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int m, int n, int k) {
  __shared__ float as[16][17], bs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    bool in = t + ty < k;
    as[ty][tx] = in ? a[(t + ty) * m + row + tx] : 0.0f; // k x m as stored
    bs[ty][tx] = in ? b[(t + ty) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i)
      sum += as[i][ty] * bs[i][tx];
    __syncthreads();
  }
  y[(row + ty) * n + col] = sum;
}
