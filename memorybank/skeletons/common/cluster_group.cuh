// Combines one value of each thread of the CLUSTER blocks that share a row:
// within the block, then every block writes its part to all the others.
template <class Op> typename Op::type rowReduce(typename Op::type x) {
  __shared__ typename Op::type warps[THREADS / 32];
  __shared__ typename Op::type ranks[CLUSTER];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  clusterArrive(); // this thread has read the previous call's ranks
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2)
    x = Op::apply(x, shuffleXor(x, lanes));
  __syncthreads();
  if (lane == 0)
    warps[warp] = x;
  __syncthreads();
  x = lane < THREADS / 32 ? warps[lane] : Op::identity();
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2)
    x = Op::apply(x, shuffleXor(x, lanes));
  clusterWait(); // all blocks run, and none still reads its ranks
  if (threadIdx.x < CLUSTER)
    *atRank(&ranks[blockIdx.x % CLUSTER], threadIdx.x) = x;
  clusterArrive();
  clusterWait();
  x = ranks[0];
#pragma unroll
  for (int rank = 1; rank < CLUSTER; ++rank)
    x = Op::apply(x, ranks[rank]);
  return x;
}
