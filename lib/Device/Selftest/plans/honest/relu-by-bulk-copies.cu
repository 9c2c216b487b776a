// Fetches its input by bulk copies behind a barrier in shared memory.
// problem: relu
// expect: ok
// step: {"grid": "rows * cols / 1024",
//   "args": ["x", "y", {"i64": "rows * cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  __shared__ alignas(128) float tile[1024];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
  unsigned to = (unsigned)__cvta_generic_to_shared(tile);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(bar)
        : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], 4096, [%2];" ::"r"(to),
                 "l"(x + blockIdx.x * 1024ll), "r"(bar)
                 : "memory");
  }
  int ready = 0;
  while (!ready)
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                 "selp.s32 %0, 1, 0, p;\n}"
                 : "=r"(ready)
                 : "r"(bar)
                 : "memory");
  for (int i = threadIdx.x; i < 1024; i += 256)
    y[blockIdx.x * 1024ll + i] = relu(tile[i]);
}
