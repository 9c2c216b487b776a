// The f64 reference: float results of a reference are double.
// claw: grid=rows, block=1
extern "C" __global__ void reference(const float *x, double *y, int rows,
                                     int cols) {
  const float *in = x + (long long)blockIdx.x * cols;
  double *out = y + (long long)blockIdx.x * cols;
  double top = in[0];
  for (int j = 1; j < cols; ++j)
    top = fmax(top, (double)in[j]);
  double sum = 0;
  for (int j = 0; j < cols; ++j)
    sum += exp(in[j] - top);
  for (int j = 0; j < cols; ++j)
    out[j] = exp(in[j] - top) / sum;
}
