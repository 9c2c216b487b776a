// A product of pixels by output channels whose left operand never exists; its
// tiles are gathered from the image, padding as zeros, when they are needed.
// problem: conv2d
// expect: ok
// step: {"grid": ["ceildiv(n * h * w, 32)", "ceildiv(o, 32)"],
//   "block": [32, 8], "args": ["x", "f", "y", {"i32": "n"}, {"i32": "c"},
//   {"i32": "o"}, {"i32": "h"}, {"i32": "w"}]}
constexpr int tile = 32;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ f,
      float *__restrict__ y, int n, int c, int o, int h, int w) {
  __shared__ float as[tile][tile], bs[tile][tile]; // [k][pixel], [channel][k]
  int tx = threadIdx.x, ty = threadIdx.y, depth = c * 9;
  int pixel = blockIdx.x * tile + tx, out = blockIdx.y * tile + ty;
  int image = pixel / (h * w), row = pixel / w % h, col = pixel % w; // once
  float sum[4] = {};
  for (int t = 0; t < depth; t += tile) {
#pragma unroll
    for (int j = 0; j < tile; j += 8) {
      int i = t + ty + j, channel = i / 9; // the same for the warp
      int r = row + i % 9 / 3 - 1, s = col + i % 3 - 1;
      bool there =
          image < n && channel < c && r >= 0 && r < h && s >= 0 && s < w;
      as[ty + j][tx] =
          there ? x[((image * c + channel) * h + r) * w + s] : 0.0f;
      bs[ty + j][tx] =
          out + j < o && t + tx < depth ? f[(out + j) * depth + t + tx] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        sum[j] += as[i][tx] * bs[ty + 8 * j][i];
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) // neighbouring pixels: coalesced in NCHW
    if (image < n && out + 8 * j < o)
      y[((image * o + out + 8 * j) * h + row) * w + col] = sum[j];
}
