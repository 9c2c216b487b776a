// Packets of four and no code for the elements that are left over.
// problem: relu-odd
// expect: mismatch not-written
// step: {"grid": "ceildiv(count / 4, 256)",
//   "args": ["x", "y", {"i64": "count"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
struct Packet {
  float v[4];
};
extern "C" __global__ void k(const Packet *x, Packet *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n / 4)
    for (int j = 0; j < 4; ++j)
      y[i].v[j] = relu(x[i].v[j]);
}
