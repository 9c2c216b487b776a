// f32 throughout, in another order than stock: the error of a sum of size 40
// enters a result below 1 undamped.
// problem: linear-sigmoid
// expect: ok
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float part[4] = {};
  for (int i = 0; i < k; ++i)
    part[i % 4] += x[row * k + i] * w[i * n + col];
  float sum = part[0] + part[1] + (part[2] + part[3]);
  y[row * n + col] = 1 / (1 + expf(-sum));
}
