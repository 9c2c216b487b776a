// The first elements, up to an address that is a multiple of 16, go one by one;
// from there stores are packets. Loads are packets too where x is aligned there.
// problem: relu-odd
// expect: ok
// step: {"grid": "ceildiv(count, 1024) + 1",
//   "args": ["x", "y", {"i64": "count"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  long long head = (16 - (unsigned long long)y % 16) % 16 / 4;
  head = head < n ? head : n;
  long long packets = (n - head) / 4, tail = head + packets * 4;
  if (i < packets) {
    const float *from = x + head + 4 * i;
    float4 v = (unsigned long long)from % 16 == 0 // the same for all threads
                   ? *reinterpret_cast<const float4 *>(from)
                   : make_float4(from[0], from[1], from[2], from[3]);
    v = make_float4(relu(v.x), relu(v.y), relu(v.z), relu(v.w));
    *reinterpret_cast<float4 *>(y + head + 4 * i) = v;
  }
  if (i < head)
    y[i] = relu(x[i]);
  if (i < n - tail)
    y[tail + i] = relu(x[tail + i]);
}
