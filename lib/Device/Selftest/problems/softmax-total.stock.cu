extern "C" __global__ void k(const float *x, float *y, long long rows,
                             long long cols) {
  long long r = blockIdx.x * 256ll + threadIdx.x;
  if (r >= rows)
    return;
  const float *row = x + r * cols;
  float top = row[0], sum = 0, total = 0;
  for (long long i = 1; i < cols; ++i)
    top = fmaxf(top, row[i]);
  for (long long i = 0; i < cols; ++i)
    sum += expf(row[i] - top);
  for (long long i = 0; i < cols; ++i)
    total += expf(row[i] - top) / sum;
  y[r] = total;
}
