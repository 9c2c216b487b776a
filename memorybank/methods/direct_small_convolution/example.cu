// Three input channels. A thread holds the 27 inputs of its pixel in registers
// and makes all output channels; weights are broadcasts from shared memory.
// problem: conv2d
// expect: ok
// sizes: {"c": 3, "o": 32, "h": 112, "w": 112}
// sizes-sim: {"c": 3, "o": 10}
// step: {"grid": ["ceildiv(h * w, 128)", "n"], "block": 128,
//   "args": ["x", "f", "y", {"i32": "o"}, {"i32": "h"}, {"i32": "w"}]}
constexpr int channels = 3, products = channels * 9, atOnce = 32;
extern "C" __global__ void __launch_bounds__(128)
    k(const float *__restrict__ x, const float *__restrict__ f,
      float *__restrict__ y, int o, int h, int w) {
  __shared__ float weights[atOnce * products];
  int pixel = blockIdx.x * 128 + threadIdx.x, row = pixel / w, col = pixel % w;
  bool mine = pixel < h * w;
  x += (long long)blockIdx.y * channels * h * w;
  y += (long long)blockIdx.y * o * h * w + pixel;
  float v[products];
#pragma unroll
  for (int i = 0; i < products; ++i) {
    int r = row + i % 9 / 3 - 1, s = col + i % 3 - 1;
    bool there = mine && r >= 0 && r < h && s >= 0 && s < w;
    v[i] = there ? x[(i / 9 * h + r) * w + s] : 0.0f;
  }
  for (int first = 0; first < o; first += atOnce) {
    int count = min(atOnce, o - first);
    __syncthreads(); // the weights before are used up
    for (int i = threadIdx.x; i < count * products; i += 128)
      weights[i] = f[first * products + i];
    __syncthreads();
    for (int c = 0; c < count; ++c) {
      float sum = 0;
#pragma unroll
      for (int i = 0; i < products; ++i)
        sum += v[i] * weights[c * products + i];
      if (mine)
        y[(first + c) * h * w] = sum;
    }
  }
}
