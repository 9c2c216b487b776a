// claw: grid=(ceildiv(d2, 16), ceildiv(d0, 16)), block=(16, 16), args=arg0, arg1, out0, d0, d2, d1
extern "C" __global__ void product(const float *a, const float *b, float *c,
                                   int m, int n, int k) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i >= m || j >= n)
    return;
  float sum = 0;
  for (int p = 0; p < k; ++p)
    sum += a[i * k + p] * b[p * n + j];
  c[i * n + j] = sum;
}
