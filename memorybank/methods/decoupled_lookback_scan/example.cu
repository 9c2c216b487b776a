// Each tile publishes its sum; then a warp looks back, 32 tiles at a time, to one
// whose whole prefix is known. One word has state and value: no fence between.
// problem: cumsum
// expect: ok
// sizes: {"rows": 64, "cols": 262144}
// sizes-sim: {"rows": 2, "cols": 9000}
// step: {"kind": "memset", "buffer": "state",
//   "bytes": "rows * (ceildiv(cols, 256) + 1) * 8"}
// step: {"grid": ["ceildiv(cols, 256)", "rows"],
//   "args": ["x", "y", "state", {"i64": "cols"}]}
// buffer: {"name": "state", "sizeBytes": "rows * (ceildiv(cols, 256) + 1) * 8"}
using Word = unsigned long long; // 1: sum of the tile, 2: of all up to it
__device__ Word pack(Word state, float v) {
  return state << 32 | __float_as_uint(v);
}
__device__ float lookBack(volatile Word *state, int tile) {
  float before = 0;
  for (int at = tile - 1 - threadIdx.x;; at -= 32) {
    Word word = pack(2, 0); // in front of the first tile
    do
      if (at >= 0)
        word = state[at];
    while (__any_sync(0xffffffffu, word >> 32 == 0));
    unsigned known = __ballot_sync(0xffffffffu, word >> 32 == 2);
    float v = threadIdx.x < __ffs(known) || !known ? __uint_as_float(word) : 0;
    for (int h = 16; h; h /= 2)
      v += __shfl_xor_sync(0xffffffffu, v, h);
    before += v;
    if (known)
      return before;
  }
}
extern "C" __global__ void k(const float *x, float *y, Word *state,
                             long long cols) {
  __shared__ float sums[256], carry;
  __shared__ int ticket;
  state += blockIdx.y * (gridDim.x + 1ll);
  if (threadIdx.x == 0)
    ticket = atomicAdd(reinterpret_cast<int *>(state), 1);
  __syncthreads(); // waits only for tiles whose blocks have started
  volatile Word *tiles = state + 1;
  long long i = ticket * 256ll + threadIdx.x, at = blockIdx.y * cols + i;
  sums[threadIdx.x] = i < cols ? x[at] : 0.0f;
  for (int h = 1; h < 256; h *= 2) {
    __syncthreads();
    float left = threadIdx.x < h ? 0.0f : sums[threadIdx.x - h];
    __syncthreads();
    sums[threadIdx.x] += left;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    tiles[ticket] = pack(1, sums[255]);
  if (threadIdx.x < 32)
    carry = lookBack(tiles, ticket);
  __syncthreads();
  if (threadIdx.x == 0)
    tiles[ticket] = pack(2, carry + sums[255]);
  if (i < cols)
    y[at] = carry + sums[threadIdx.x];
}
