//===- CooperativeTest.cpp - cooperative_groups ---------------------------===//
#include "../Machine.h"

using namespace kclaw;
using namespace kclaw::sim;

namespace {

std::vector<int> run(const std::string &body, Dim3 grid, Dim3 block,
                     bool cooperative = false, Dim3 cluster = {}) {
  std::string ptx = compileCuda(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const int *in, int *out, int *scratch) {
  auto block = cg::this_thread_block();
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
)" + body + "}",
                                "compute_90a", {"--std=c++17"});
  Machine machine(ptx);
  std::vector<int> in(1024);
  for (int i = 0; i < 1024; ++i)
    in[size_t(i)] = i * 7 % 101;
  auto x = machine.upload(in);
  auto y = machine.allocate<int>(1024);
  auto z = machine.allocate<int>(1024);
  machine.cooperative = cooperative;
  machine.cluster = cluster;
  try {
    machine.run("k", grid, block, x, y, z);
  } catch (const FaultError &error) {
    ADD_FAILURE() << error.what();
  }
  return y.values();
}

int in(int i) { return i * 7 % 101; }

TEST(CooperativeGroups, TilesReduce) {
  auto out = run(R"(
  auto tile = cg::tiled_partition<8>(block);
  out[i] = cg::reduce(tile, in[i], cg::plus<int>()) +
           1000 * tile.thread_rank() + 10000 * tile.meta_group_rank();
)",
                 {2}, {64});
  for (int i = 0; i < 128; ++i) {
    int sum = 0;
    for (int k = i / 8 * 8; k < i / 8 * 8 + 8; ++k)
      sum += in(k);
    ASSERT_EQ(out[size_t(i)], sum + 1000 * (i % 8) + 10000 * (i % 64 / 8));
  }
}

TEST(CooperativeGroups, CoalescedThreadsAndScan) {
  auto out = run(R"(
  out[i] = -1;
  if (in[i] % 3 == 0) {
    auto active = cg::coalesced_threads();
    out[i] = cg::inclusive_scan(active, 1) * 100 + active.size();
  }
)",
                 {1}, {32});
  int count = 0, seen = 0;
  for (int i = 0; i < 32; ++i)
    count += in(i) % 3 == 0;
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(out[size_t(i)], in(i) % 3 ? -1 : ++seen * 100 + count) << i;
}

TEST(CooperativeGroups, LabeledPartition) {
  auto out = run(R"(
  auto warp = cg::tiled_partition<32>(block);
  auto same = cg::labeled_partition(warp, t % 5);
  out[i] = same.size() * 100 + same.thread_rank();
)",
                 {1}, {32});
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(out[size_t(i)], (i % 5 < 2 ? 7 : 6) * 100 + i / 5);
}

TEST(CooperativeGroups, GridSync) {
  auto out = run(R"(
  auto grid = cg::this_grid();
  scratch[i] = in[i];
  grid.sync();
  int n = gridDim.x * blockDim.x;
  int v = scratch[n - 1 - i];
  grid.sync();
  scratch[i] = v + 1;
  grid.sync();
  out[i] = scratch[(i + 64) % n];
)",
                 {6}, {64}, true);
  for (int i = 0; i < 384; ++i)
    ASSERT_EQ(out[size_t(i)], in(383 - (i + 64) % 384) + 1) << i;
}

} // namespace
