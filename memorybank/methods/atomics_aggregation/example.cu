// Blocks count in shared memory and add to the result once for each bin: one
// global atomic for many elements, and hardly two at the same address at once.
// problem: bincount
// expect: ok
// step: {"kind": "memset", "buffer": "y", "bytes": "bins * 8"}
// step: {"grid": "min(132 * 4, ceildiv(n, 1024))",
//   "args": ["x", "y", {"i64": "n"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const long long *__restrict__ x, unsigned long long *y, long long n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < n;
       i += gridDim.x * 256ll)
    atomicAdd(counts + x[i], 1u);
  __syncthreads();
  if (counts[threadIdx.x])
    atomicAdd(y + threadIdx.x, (unsigned long long)counts[threadIdx.x]);
}
