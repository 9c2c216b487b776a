// Counts more than 2^31 elements in 64 bits.
// problem: negate-huge
// expect: ok
// gpu-only: needs 2^31 elements
// job: {"timeoutSeconds": 120}
// step: {"grid": 4096, "args": ["x", "y", {"i64": "rows * cols / 2"}]}
extern "C" __global__ void k(const unsigned *x, unsigned *y, long long n) {
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < n;
       i += gridDim.x * 256ll)
    y[i] = x[i] ^ 0x80008000u;
}
