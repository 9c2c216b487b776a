// Writes zeros, which are small errors where every result is small.
// problem: softmax
// expect: mismatch budget
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = 0.0f;
}
