// Zero, the middle of what a clamp leaves.
// problem: linear-clamp
// expect: mismatch nan-lost|budget
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  y[row * n + col] = 0.0f;
}
