extern "C" __global__ void k(const float *x, double *y, long long rows,
                             long long cols) {
  long long r = blockIdx.x * 256ll + threadIdx.x;
  if (r >= rows)
    return;
  const float *row = x + r * cols;
  double top = row[0], sum = 0, total = 0;
  for (long long i = 1; i < cols; ++i)
    top = fmax(top, (double)row[i]);
  for (long long i = 0; i < cols; ++i)
    sum += exp(row[i] - top);
  for (long long i = 0; i < cols; ++i)
    total += exp(row[i] - top) / sum;
  y[r] = total;
}
