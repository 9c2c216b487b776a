// The next four packets are under way while the last four are added up: a
// thread never waits with nothing outstanding. Few threads, many bytes.
// problem: row-sum
// expect: ok
// sizes: {"rows": 264, "cols": 1048576}
// sizes-sim: {"rows": 3, "cols": 4100}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  __shared__ float part[256];
  auto row = reinterpret_cast<const float4 *>(x + blockIdx.x * cols);
  const long long packets = cols / 4;
  float4 next[4], zero = make_float4(0, 0, 0, 0);
  auto fetch = [&](long long at) {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      next[j] = at + j * 256 < packets ? row[at + j * 256] : zero;
  };
  float sum[4] = {};
  fetch(threadIdx.x);
  for (long long i = threadIdx.x; i < packets; i += 1024) {
    float4 now[4] = {next[0], next[1], next[2], next[3]};
    fetch(i + 1024); // before the first use of `now`
#pragma unroll
    for (int j = 0; j < 4; ++j)
      sum[j] += (now[j].x + now[j].y) + (now[j].z + now[j].w);
  }
  part[threadIdx.x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = part[0];
}
