// Combines one value of each of the SLICES threads that share a row; threads
// of a warp lie along the rows, so the row's threads meet in shared memory.
template <class Op> typename Op::type rowReduce(typename Op::type x) {
  if constexpr (SLICES > 1) {
    __shared__ typename Op::type parts[SLICES * LANES];
    const int lane = threadIdx.x % LANES;
    __syncthreads(); // the previous call's readers are done
    parts[threadIdx.x] = x;
    __syncthreads();
    x = parts[lane];
    for (int s = 1; s < SLICES; ++s)
      x = Op::apply(x, parts[s * LANES + lane]);
  }
  return x;
}
