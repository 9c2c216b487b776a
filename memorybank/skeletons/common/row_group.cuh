// Combines one value of each of the ROW_THREADS neighbouring threads that
// share a row; every one of them gets the result.
template <class Op> typename Op::type rowReduce(typename Op::type x) {
  constexpr int inWarp = ROW_THREADS < 32 ? ROW_THREADS : 32;
#pragma unroll
  for (int lanes = inWarp / 2; lanes > 0; lanes /= 2)
    x = Op::apply(x, shuffleXor(x, lanes));
  if constexpr (ROW_THREADS > 32) {
    constexpr int warps = ROW_THREADS / 32;
    __shared__ typename Op::type parts[THREADS / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    __syncthreads(); // the previous call's readers are done
    if (lane == 0)
      parts[warp] = x;
    __syncthreads();
    x = lane < warps ? parts[warp / warps * warps + lane] : Op::identity();
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
      x = Op::apply(x, shuffleXor(x, lanes));
  }
  return x;
}
