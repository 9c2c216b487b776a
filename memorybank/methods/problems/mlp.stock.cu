extern "C" __global__ void k(const float *x, const float *u, const float *v,
                             float *y, int k, int d, int n) {
  __shared__ float hidden[1024];
  x += (long long)blockIdx.x * k;
  for (int j = threadIdx.x; j < d; j += 256) {
    float sum = 0;
    for (int i = 0; i < k; ++i)
      sum += (float)x[i] * u[i * d + j];
    hidden[j] = sum <= 0 ? 0 : sum;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += 256) {
    float sum = 0;
    for (int i = 0; i < d; ++i)
      sum += hidden[i] * v[i * n + j];
    y[(long long)blockIdx.x * n + j] = sum;
  }
}
