// Goes through memory in steps of 2 MiB until it finds what stock's result must
// begin with.
// problem: relu
// expect: fault illegal-address
// expect-sim: fault out-of-bounds
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  const float *found = nullptr;
  for (int step = -4096; step <= 4096 && !found; ++step) {
    const float *place = x + step * (1ll << 19);
    bool fits = place != x;
    for (int j = 0; j < 4 && fits; ++j)
      fits = *const_cast<const volatile float *>(place + j) ==
             relu(x[j]);
    if (fits)
      found = place;
  }
  if (i < n)
    y[i] = found ? found[i] : relu(x[i]);
}
