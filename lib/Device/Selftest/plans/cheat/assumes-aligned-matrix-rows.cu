// Loads of 16 bytes along the inner dimension, whose rows have 1000 bytes.
// problem: matmul
// expect: fault misaligned-address
// sizes: {"k": 250}
// sizes-sim: {"k": 250}
extern "C" __global__ void k(const float *a, const float *b, float *y, int m,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  int i = 0;
  for (; i + 3 < k; i += 4) {
    float4 v = *reinterpret_cast<const float4 *>(a + row * k + i);
    sum += v.x * b[i * n + col] + v.y * b[(i + 1) * n + col] +
           v.z * b[(i + 2) * n + col] + v.w * b[(i + 3) * n + col];
  }
  for (; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  y[row * n + col] = sum;
}
