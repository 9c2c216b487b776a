// Two blocks of a cluster share a row through distributed shared memory.
// problem: row-sum
// expect: ok
// step: {"grid": "2 * rows", "cluster": 2, "args": ["x", "y", {"i64": "cols"}]}
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const float *x, float *y, long long cols) {
  __shared__ float part[256];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  const float *row = x + blockIdx.x / 2 * cols;
  float sum = 0;
  for (long long i = rank * 256 + threadIdx.x; i < cols; i += 512)
    sum += row[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int h = 128; h; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  cluster.sync();
  if (rank == 0 && threadIdx.x == 0)
    y[blockIdx.x / 2] = part[0] + *cluster.map_shared_rank(part, 1);
  cluster.sync();
}
