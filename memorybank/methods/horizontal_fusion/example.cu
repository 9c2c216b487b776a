// Two products of one input in one kernel: each tile of x is loaded once and
// multiplied with tiles of both weights.
// problem: two-linear
// expect: ok
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ u,
      const float *__restrict__ v, float *__restrict__ p,
      float *__restrict__ q, int n, int k) {
  __shared__ float xs[16][17], us[16][17], vs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float s = 0, t = 0;
  for (int f = 0; f < k; f += 16) {
    xs[ty][tx] = f + tx < k ? x[row * k + f + tx] : 0.0f;
    bool in = f + ty < k;
    us[ty][tx] = in ? u[(f + ty) * n + col] : 0.0f;
    vs[ty][tx] = in ? v[(f + ty) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      s += xs[ty][i] * us[i][tx];
      t += xs[ty][i] * vs[i][tx]; // the same register of xs
    }
    __syncthreads();
  }
  p[row * n + col] = s;
  q[row * n + col] = t;
}
