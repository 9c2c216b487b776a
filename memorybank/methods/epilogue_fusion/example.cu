// Bias and activation are applied to the sum while it is in a register: the raw
// product never reaches memory and there is no second launch.
// problem: linear-relu
// expect: ok
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ w,
      const float *__restrict__ b, float *__restrict__ y, int n, int k) {
  __shared__ float xs[16][17], ws[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, first = blockIdx.x * 16;
  float bias = b[first + tx]; // asked for long before it is used
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    bool in = t + tx < k;
    xs[ty][tx] = in ? x[row * k + t + tx] : 0.0f;
    ws[ty][tx] = in ? w[(first + ty) * k + t + tx] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i)
      sum += xs[ty][i] * ws[tx][i];
    __syncthreads();
  }
  sum += bias;
  y[row * n + first + tx] = sum <= 0.0f ? 0.0f : sum; // NaN stays NaN
}
