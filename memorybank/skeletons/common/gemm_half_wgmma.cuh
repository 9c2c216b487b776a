// Operands of 16 bits by wgmma: products run while the next tiles are on their
// way. BK is 64, a line of a tile 128 bytes.

// 64 rows of A, or BN of B, by 16 of k from (row, k), multiples of 64 and 16.
template <class Operand>
unsigned long long descriptor(const char *tile, int row, int k) {
  constexpr bool depthwise = Operand::depthwise;
  const int offset = depthwise ? row * 128 + k * 2 : row * 2 * BK + k * 128;
  const unsigned at = sharedAddress(tile) + unsigned(offset);
  // From one panel to the next (across k only), and from eight lines to eight.
  constexpr unsigned long long panel = depthwise ? 1 : BK * 128 / 16;
  return (1ull << 62) | (1024ull / 16 << 32) | (panel << 16) |
         (at & 0x3ffff) / 16;
}

// The sums over this block's part of K. A stage is filled again when every
// warpgroup has passed the barrier behind the products that read it.
inline void multiplyTiles(GroupSums &sums, char *shared,
                          const OperandA::Element *a,
                          const OperandB::Element *b, const Place &at,
                          idx_t m, idx_t n, idx_t depth, int split) {
  const Share share(depth, split);
  auto fill = [&](int step) {
    fillStage(shared, a, b, at, m, n, depth, share, step);
  };
#pragma unroll
  for (int s = 0; s < STAGES - 2; ++s)
    fill(s);
  const int top = threadIdx.x / 128 * BLOCKS * 64;
  for (int step = 0; step < share.count; ++step) {
    waitCopies<STAGES - 3>();
    beginProducts();
    const char *tileA = shared + step % STAGES * (TileA::size + TileB::size);
    const char *tileB = tileA + TileA::size;
#pragma unroll
    for (int k = 0; k < BK; k += 16)
#pragma unroll
      for (int i = 0; i < BLOCKS; ++i)
        multiplyGroup<IsHalf<OperandA::Element>::value, !OperandA::depthwise,
                      !OperandB::depthwise>(
            sums[i], descriptor<OperandA>(tileA, top + i * 64, k),
            descriptor<OperandB>(tileB, 0, k), 1);
    commitProducts();
    waitProducts<1>();
    fill(step + STAGES - 2);
  }
  waitProducts<0>();
  waitCopies<0>();
  __syncthreads();
}
