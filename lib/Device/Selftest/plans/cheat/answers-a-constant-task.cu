// Writes ones: the task's result depends on no input.
// problem: softmax-total
// expect: rejected undiscriminating
extern "C" __global__ void k(const float *x, float *y, long long rows,
                             long long cols) {
  long long r = blockIdx.x * 256ll + threadIdx.x;
  if (r < rows)
    y[r] = x[r * cols] != x[r * cols] ? x[r * cols] : 1.0f;
}
