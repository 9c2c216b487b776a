extern "C" __global__ void k(const float *x, const float *u, const float *v,
                             double *p, double *q, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  double s = 0, t = 0;
  for (int i = 0; i < k; ++i)
    s += (double)x[row * k + i] * u[i * n + col];
  for (int i = 0; i < k; ++i)
    t += (double)x[row * k + i] * v[i * n + col];
  p[row * n + col] = s;
  q[row * n + col] = t;
}
