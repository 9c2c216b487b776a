// A thread marches down its column and keeps the maxima of the last two rows: a
// new row costs three reads and gives a new output, not nine.
// problem: max-pool
// expect: ok
// step: {"grid": ["ceildiv(width, 128)", "ceildiv(height, 16)", "planes"],
//   "block": 128, "args": ["x", "y", {"i32": "height"}, {"i32": "width"}]}
constexpr int strip = 16; // rows of outputs a block: a halo of 2 in 16
__device__ float larger(float a, float b) { // NaN wins
  return a > b || a != a ? a : b;
}
extern "C" __global__ void __launch_bounds__(128)
    k(const float *__restrict__ x, float *__restrict__ y, int height,
      int width) {
  int c = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * strip;
  if (c >= width)
    return;
  long long plane = (long long)blockIdx.z * height * width;
  const float none = __int_as_float(0xff800000);
  auto rowMaximum = [&](int r) {
    if (r < 0 || r >= height) // the same for the whole block
      return none;
    const float *at = x + plane + (long long)r * width + c;
    float left = c > 0 ? at[-1] : none;
    float right = c + 1 < width ? at[1] : none;
    return larger(larger(left, at[0]), right);
  };
  float above = rowMaximum(first - 1), here = rowMaximum(first);
#pragma unroll 4
  for (int r = first; r < min(first + strip, height); ++r) {
    float below = rowMaximum(r + 1);
    y[plane + (long long)r * width + c] = larger(larger(above, here), below);
    above = here;
    here = below;
  }
}
