// Computes in place in its input and copies that to the result.
// problem: relu
// expect: mismatch input-written
// step: {"grid": "ceildiv(rows * cols, 256)",
//   "args": ["x", {"i64": "rows * cols"}]}
// step: {"kind": "copy", "source": "x", "target": "y",
//   "rowBytes": "rows * cols * 4"}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(float *x, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    x[i] = relu(x[i]);
}
