// Shared memory of exactly the row's size, by the launch; results replace inputs
// in place, and partial sums take 8 words, not one a thread: as many blocks fit
// as the row allows.
// problem: layer-norm
// expect: ok
// step: {"grid": "rows", "sharedBytes": "cols * 4 + 32",
//   "args": ["x", "y", {"i32": "cols"}]}
extern __shared__ float row[]; // cols elements, then 8 partial sums
__device__ float blockSum(float v, float *part) {
  for (int h = 16; h; h /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, h);
  __syncthreads(); // the last sum has been read by all
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < 8; ++w)
    v += part[w];
  return v;
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, int cols) {
  x += (long long)blockIdx.x * cols;
  y += (long long)blockIdx.x * cols;
  float sum = 0, square = 0;
  for (int i = threadIdx.x; i < cols; i += 256)
    sum += row[i] = x[i];
  float mean = blockSum(sum, row + cols) / cols;
  for (int i = threadIdx.x; i < cols; i += 256) {
    float d = row[i] -= mean; // in place: no second buffer
    square += d * d;
  }
  float scale = rsqrtf(blockSum(square, row + cols) / cols + 1e-5f);
  for (int i = threadIdx.x; i < cols; i += 256)
    y[i] = row[i] * scale;
}
