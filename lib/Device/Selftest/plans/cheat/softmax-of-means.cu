// Writes the mean of every row, which no input can change.
// problem: softmax
// expect: mismatch budget
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[blockIdx.x * cols + i] = 1.0f / cols;
}
