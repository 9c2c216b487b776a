// step: {"kind": "memset", "buffer": "y", "bytes": "bins * 8"}
// step: {"grid": "ceildiv(n, 256)", "args": ["x", "y", {"i64": "n"}]}
extern "C" __global__ void k(const long long *x, unsigned long long *y,
                             long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    atomicAdd(y + x[i], 1ull);
}
