// Mean and variance in one pass that does not cancel, joined by shuffles.
// problem: layer-norm
// expect: ok
// step: {"grid": "ceildiv(rows, 4)", "block": 128,
//   "args": ["x", "y", {"i32": "rows"}, {"i32": "cols"}]}
extern "C" __global__ void k(const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  x += (long long)row * cols;
  y += (long long)row * cols;
  float mean = 0, square = 0, count = 0;
  for (int i = lane; i < cols; i += 32) {
    float d = x[i] - mean;
    count += 1;
    mean += d / count;
    square += d * (x[i] - mean);
  }
  for (int h = 16; h; h /= 2) {
    float otherMean = __shfl_xor_sync(0xffffffffu, mean, h);
    float otherSquare = __shfl_xor_sync(0xffffffffu, square, h);
    float otherCount = __shfl_xor_sync(0xffffffffu, count, h);
    float d = otherMean - mean, all = count + otherCount;
    float lower = fminf(mean, otherMean), higher = fmaxf(mean, otherMean);
    mean = lower + (higher - lower) * 0.5f;
    square += otherSquare + d * d * count * otherCount / all;
    count = all;
  }
  float scale = rsqrtf(square / cols + 1e-5f);
  for (int i = lane; i < cols; i += 32)
    y[i] = (x[i] - mean) * scale;
}
