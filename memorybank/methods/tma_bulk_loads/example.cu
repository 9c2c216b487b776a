// One thread asks for 8 KiB at a time by a bulk copy; four stages, an mbarrier
// each, whose parity flips every time round.
// problem: row-sum
// expect: ok
// sizes-sim: {"rows": 3, "cols": 12292}
constexpr int stages = 4, chunk = 2048, threads = 256;
__device__ unsigned shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
extern "C" __global__ void __launch_bounds__(threads)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  __shared__ alignas(128) float ring[stages][chunk];
  __shared__ alignas(8) unsigned long long full[stages];
  __shared__ float part[threads / 32];
  const int chunks = (cols + chunk - 1) / chunk;
  auto length = [&](int c) { return min((long long)chunk, cols - c * chunk); };
  auto fetch = [&](int c) { // by thread 0; bytes are a multiple of 16
    unsigned bar = shared(&full[c % stages]), bytes = length(c) * 4;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::"
                 "complete_tx::bytes [%2], [%3], %1, [%0];" ::"r"(bar),
                 "r"(bytes), "r"(shared(ring[c % stages])),
                 "l"(x + blockIdx.x * cols + c * (long long)chunk)
                 : "memory");
  };
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&full[s])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    for (int c = 0; c < min(stages, chunks); ++c)
      fetch(c);
  }
  __syncthreads();
  float sum = 0;
  for (int c = 0; c < chunks; ++c) {
    for (int done = 0; !done;)
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, "
                   "[%1], %2;\nselp.s32 %0, 1, 0, p;\n}"
                   : "=r"(done)
                   : "r"(shared(&full[c % stages])), "r"(c / stages & 1)
                   : "memory");
    for (int i = threadIdx.x; i < length(c); i += threads)
      sum += ring[c % stages][i];
    __syncthreads(); // all have read the stage before it is filled again
    if (threadIdx.x == 0 && c + stages < chunks)
      fetch(c + stages);
  }
  for (int h = 16; h; h /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, h);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < threads / 32; ++w)
      sum += part[w];
    y[blockIdx.x] = sum;
  }
}
