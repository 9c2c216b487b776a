// A block sorts its 512 indices (bitonic, in shared memory), gathers in that
// order, so that neighbouring lanes meet in the same sectors, and puts the values
// back into place in shared memory, so that stores stay coalesced.
// problem: take
// expect: ok
// step: {"grid": "ceildiv(n, 512)",
//   "args": ["x", "index", "y", {"i64": "n"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const long long *__restrict__ index,
      float *__restrict__ y, long long n) {
  __shared__ unsigned long long key[512]; // index, then where it belongs
  __shared__ float value[512];
  long long first = blockIdx.x * 512ll;
  for (int i = threadIdx.x; i < 512; i += 256)
    key[i] = first + i < n ? (unsigned long long)index[first + i] << 9 | i
                           : ~0ull; // behind all others
  for (int run = 2; run <= 512; run *= 2)
    for (int h = run / 2; h; h /= 2) {
      __syncthreads();
      int a = threadIdx.x / h * 2 * h + threadIdx.x % h, b = a + h;
      bool down = a & run;
      unsigned long long low = key[a], high = key[b];
      if ((low > high) != down) {
        key[a] = high;
        key[b] = low;
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 256)
    if (key[i] != ~0ull)
      value[key[i] & 511] = __ldg(x + (key[i] >> 9));
  __syncthreads();
  for (int i = threadIdx.x; i < 512 && first + i < n; i += 256)
    y[first + i] = value[i];
}
