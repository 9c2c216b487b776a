// Fetches its input by asynchronous copies of 16 bytes, two stages deep.
// problem: relu
// expect: ok
// step: {"grid": "rows * cols / 4096", "block": 256, "args": ["x", "y"]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y) {
  __shared__ float4 stage[2][256];
  const float4 *from = reinterpret_cast<const float4 *>(x) + blockIdx.x * 1024;
  float4 *to = reinterpret_cast<float4 *>(y) + blockIdx.x * 1024;
  auto fetch = [&](int i) {
    unsigned at =
        (unsigned)__cvta_generic_to_shared(&stage[i % 2][threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n"
                 "cp.async.commit_group;" ::"r"(at),
                 "l"(from + i * 256 + threadIdx.x)
                 : "memory");
  };
  fetch(0);
  for (int i = 0; i < 4; ++i) {
    if (i + 1 < 4) {
      fetch(i + 1);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    float4 v = stage[i % 2][threadIdx.x];
    to[i * 256 + threadIdx.x] = make_float4(relu(v.x), relu(v.y),
                                            relu(v.z), relu(v.w));
  }
}
