// Four blocks share a row. Each pushes its sum into the first one's shared
// memory; one cluster barrier, and no trip through global memory.
// problem: row-sum
// expect: ok
// sizes: {"rows": 66, "cols": 1048576}
// sizes-sim: {"rows": 3, "cols": 4100}
// step: {"grid": "4 * rows", "cluster": 4,
//   "args": ["x", "y", {"i64": "cols"}]}
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  __shared__ float part[8], gathered[4];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  x += blockIdx.x / 4 * cols;
  float sum = 0;
  for (long long i = rank * 256 + threadIdx.x; i < cols; i += 4 * 256)
    sum += x[i];
  for (int h = 16; h; h /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, h);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  cluster.sync(); // a barrier of this block, and all four have started
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w)
      sum += part[w];
    cluster.map_shared_rank(gathered, 0)[rank] = sum;
  }
  cluster.sync(); // the sums are there
  if (rank == 0 && threadIdx.x == 0)
    y[blockIdx.x / 4] =
        (gathered[0] + gathered[1]) + (gathered[2] + gathered[3]);
}
