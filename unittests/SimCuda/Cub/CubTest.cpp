//===- CubTest.cpp - CUB's block and warp primitives ----------------------===//
//
// Kernels that nobody here wrote, compiled by NVRTC, against the host's
// answers, with all checks on. 128 threads, four items a thread, two blocks.
//
//===----------------------------------------------------------------------===//
#include "../Machine.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace kclaw::sim;

namespace {

constexpr int threads = 128, items = 4, blocks = 2, tile = threads * items;
using Values = std::vector<int>;
/// The host's answer for one block: `tile` items in and out.
using Expected = std::function<Values(const Values &)>;

struct Kernel {
  const char *name, *header, *body;
  Expected expected;
  /// CUB's merge loads a key behind those that it wrote, and ignores it.
  bool checks = true;
};

Values input() {
  Values values(blocks * tile);
  uint32_t state = 12345;
  for (int &v : values) {
    state = state * 1664525u + 1013904223u;
    v = int(state >> 16) % 1000 - 500;
  }
  return values;
}

std::string source(const Kernel &kernel) {
  return std::string("#include <cub/") + kernel.header + R"(>
extern "C" __global__ void __launch_bounds__(128) k(int *in, int *out) {
  constexpr int items = 4, tile = 512;
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  (void)lane, (void)warp, (void)tile;
  in += blockIdx.x * tile;
  out += blockIdx.x * tile;
  int v[items], r[items] = {};
  for (int i = 0; i < items; ++i)
    v[i] = in[t * items + i];
)" + kernel.body +
         R"(
  for (int i = 0; i < items; ++i)
    out[t * items + i] = r[i];
})";
}

void check(const Kernel &kernel) {
  std::string ptx = compileCuda(source(kernel), "compute_90a", {"--std=c++17"});
  Machine machine(ptx);
  machine.options.checks = kernel.checks;
  Values in = input();
  auto x = machine.upload(in);
  auto y = machine.allocate<int>(in.size());
  try {
    machine.run("k", {blocks}, {threads}, x, y);
  } catch (const FaultError &error) {
    FAIL() << error.what();
  }
  for (int b = 0; b < blocks; ++b) {
    Values part(in.begin() + b * tile, in.begin() + (b + 1) * tile);
    Values expected = kernel.expected(part);
    for (int i = 0; i < tile; ++i)
      ASSERT_EQ(y[size_t(b * tile + i)], expected[size_t(i)])
          << "block " << b << ", item " << i;
  }
}

Values same(int value) { return Values(tile, value); }
int sum(const Values &v) { return std::accumulate(v.begin(), v.end(), 0); }

Values inclusive(const Values &in, int first, int count) {
  Values out(in.size());
  for (size_t start = 0; start < in.size(); start += size_t(count)) {
    int total = first;
    for (size_t i = start; i < start + size_t(count); ++i)
      out[i] = total += in[i];
  }
  return out;
}
Values exclusive(const Values &in, int first, int count) {
  Values out = inclusive(in, first, count);
  for (size_t i = 0; i < in.size(); ++i)
    out[i] -= in[i];
  return out;
}
Values sorted(Values v) {
  std::ranges::sort(v);
  return v;
}
Values descending(Values v) {
  std::ranges::sort(v, std::greater{});
  return v;
}
Values blockedToStriped(const Values &v) {
  Values out(tile);
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < items; ++i)
      out[size_t(t * items + i)] = v[size_t(i * threads + t)];
  return out;
}
Values stripedToBlocked(const Values &v) {
  Values out(tile);
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < items; ++i)
      out[size_t(i * threads + t)] = v[size_t(t * items + i)];
  return out;
}
Values warpStriped(const Values &v) {
  Values out(tile);
  for (int w = 0; w < threads / 32; ++w)
    for (int l = 0; l < 32; ++l)
      for (int i = 0; i < items; ++i)
        out[size_t((w * 32 + l) * items + i)] =
            v[size_t(w * 32 * items + i * 32 + l)];
  return out;
}
/// Item 0 of each thread is f(thread's first items of its warp); rest 0.
Values perWarp(const Values &v, const std::function<int(const Values &)> &f) {
  Values out(tile, 0);
  for (int w = 0; w < threads / 32; ++w) {
    Values first;
    for (int l = 0; l < 32; ++l)
      first.push_back(v[size_t((w * 32 + l) * items)]);
    for (int l = 0; l < 32; ++l)
      out[size_t((w * 32 + l) * items)] = f(first);
  }
  return out;
}
Values warpScan(const Values &v, bool isInclusive) {
  Values out(tile, 0);
  for (int t = 0; t < threads; ++t) {
    int total = 0;
    for (int u = t / 32 * 32; u < t + isInclusive; ++u)
      total += v[size_t(u * items)];
    out[size_t(t * items)] = total;
  }
  return out;
}

#define KCL_BLOCK(TYPE)                                                        \
  "  using B = " TYPE ";\n  __shared__ typename B::TempStorage s;\n"
#define KCL_WARP(TYPE)                                                         \
  "  using B = " TYPE ";\n  __shared__ typename B::TempStorage s[4];\n"
#define KCL_ALL "  for (int i = 0; i < items; ++i) r[i] = "
#define KCL_SHARE(EXPR)                                                        \
  "  __shared__ int total;\n  int p = " EXPR                                   \
  ";\n  if (t == 0) total = p;\n  __syncthreads();\n" KCL_ALL "total;"

const Kernel kernels[] = {
    {"BlockReduceWarps", "block/block_reduce.cuh",
     KCL_BLOCK("cub::BlockReduce<int, 128>") KCL_SHARE("B(s).Sum(v)"),
     [](const Values &v) { return same(sum(v)); }},
    {"BlockReduceRaking", "block/block_reduce.cuh",
     KCL_BLOCK("cub::BlockReduce<int, 128, cub::BLOCK_REDUCE_RAKING>")
         KCL_SHARE("B(s).Sum(v)"),
     [](const Values &v) { return same(sum(v)); }},
    {"BlockReduceRakingCommutative", "block/block_reduce.cuh",
     KCL_BLOCK("cub::BlockReduce<int, 128, "
               "cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>")
         KCL_SHARE("B(s).Sum(v)"),
     [](const Values &v) { return same(sum(v)); }},
    {"BlockScanWarps", "block/block_scan.cuh",
     KCL_BLOCK("cub::BlockScan<int, 128, cub::BLOCK_SCAN_WARP_SCANS>") "  "
                                                                       "B(s)."
                                                                       "Inclu"
                                                                       "siveS"
                                                                       "um(v,"
                                                                       " r);",
     [](const Values &v) { return inclusive(v, 0, tile); }},
    {"BlockScanRaking", "block/block_scan.cuh",
     KCL_BLOCK("cub::BlockScan<int, 128, cub::BLOCK_SCAN_RAKING>") "  "
                                                                   "B(s)."
                                                                   "Exclusive"
                                                                   "Sum(v, "
                                                                   "r);",
     [](const Values &v) { return exclusive(v, 0, tile); }},
    {"BlockScanRakingMemoize", "block/block_scan.cuh",
     KCL_BLOCK("cub::BlockScan<int, 128, "
               "cub::BLOCK_SCAN_RAKING_MEMOIZE>") "  "
                                                  "B(s).ExclusiveSum(v,"
                                                  " r);",
     [](const Values &v) { return exclusive(v, 0, tile); }},
    {"BlockRadixSort", "block/block_radix_sort.cuh",
     KCL_BLOCK("cub::BlockRadixSort<int, 128, 4>") "  B(s).Sort(v);\n" KCL_ALL
                                                   "v[i];",
     sorted},
    {"BlockRadixSortDescending", "block/block_radix_sort.cuh",
     KCL_BLOCK("cub::BlockRadixSort<int, 128, 4>") "  "
                                                   "B(s).SortDescending(v);"
                                                   "\n" KCL_ALL "v[i];",
     descending},
    {"BlockRadixSortPairs", "block/block_radix_sort.cuh",
     KCL_BLOCK("cub::BlockRadixSort<int, 128, 4, int>") "  for (int i = 0; i "
                                                        "< items; ++i) r[i] "
                                                        "= -v[i];\n"
                                                        "  B(s).Sort(v, r);",
     [](const Values &v) {
       Values out = sorted(v);
       for (int &x : out)
         x = -x;
       return out;
     }},
    {"BlockMergeSort", "block/block_merge_sort.cuh",
     KCL_BLOCK("cub::BlockMergeSort<int, 128, 4>") "  B(s).Sort(v, [](int a, "
                                                   "int b) { return a < b; "
                                                   "});\n" KCL_ALL "v[i];",
     sorted, false},
    {"WarpReduce", "warp/warp_reduce.cuh",
     KCL_WARP("cub::WarpReduce<int>") "  int total = B(s[warp]).Sum(v[0]);\n"
                                      "  r[0] = __shfl_sync(~0u, total, 0);",
     [](const Values &v) { return perWarp(v, sum); }},
    {"WarpReduceSixteen", "warp/warp_reduce.cuh",
     "  using B = cub::WarpReduce<int, 16>;\n"
     "  __shared__ typename B::TempStorage s[8];\n"
     "  int total = B(s[t / 16]).Sum(v[0]);\n"
     "  total = __shfl_sync(~0u, total, 0, 16);\n"
     "  r[0] = total + __shfl_xor_sync(~0u, total, 16);",
     [](const Values &v) { return perWarp(v, sum); }},
    {"WarpScanInclusive", "warp/warp_scan.cuh",
     KCL_WARP("cub::WarpScan<int>") "  B(s[warp]).InclusiveSum(v[0], r[0]);",
     [](const Values &v) { return warpScan(v, true); }},
    {"WarpScanExclusive", "warp/warp_scan.cuh",
     KCL_WARP("cub::WarpScan<int>") "  B(s[warp]).ExclusiveSum(v[0], r[0]);",
     [](const Values &v) { return warpScan(v, false); }},
    {"WarpMergeSort", "warp/warp_merge_sort.cuh",
     KCL_WARP("cub::WarpMergeSort<int, 4, 32>") "  B(s[warp]).Sort(v, "
                                                "[](int a, int b) { return "
                                                "a < b; });\n" KCL_ALL "v[i];",
     [](const Values &v) {
       Values out = v;
       for (int w = 0; w < 4; ++w)
         std::sort(out.begin() + w * 128, out.begin() + (w + 1) * 128);
       return out;
     },
     false},
    {"BlockLoadTranspose", "block/block_load.cuh",
     KCL_BLOCK("cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>") "  "
                                                                         "B("
                                                                         "s)."
                                                                         "Loa"
                                                                         "d("
                                                                         "in,"
                                                                         " r)"
                                                                         ";",
     [](const Values &v) { return v; }},
    {"BlockLoadWarpTranspose", "block/block_load.cuh",
     KCL_BLOCK("cub::BlockLoad<int, 128, 4, "
               "cub::BLOCK_LOAD_WARP_TRANSPOSE>") "  B(s).Load(in, r, "
                                                  "500, 7);",
     [](const Values &v) {
       Values out = v;
       std::fill(out.begin() + 500, out.end(), 7);
       return out;
     }},
    {"BlockLoadVectorize", "block/block_load.cuh",
     KCL_BLOCK("cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_VECTORIZE>") "  "
                                                                         "B("
                                                                         "s)."
                                                                         "Loa"
                                                                         "d("
                                                                         "in,"
                                                                         " r)"
                                                                         ";",
     [](const Values &v) { return v; }},
    {"BlockStoreTranspose", "block/block_store.cuh",
     KCL_BLOCK("cub::BlockStore<int, 128, 4, "
               "cub::BLOCK_STORE_TRANSPOSE>") "  B(s).Store(in, v);\n  "
                                              "__syncthreads();"
                                              "\n" KCL_ALL "in[t * items + i];",
     [](const Values &v) { return v; }},
    {"BlockExchangeToStriped", "block/block_exchange.cuh",
     KCL_BLOCK("cub::BlockExchange<int, 128, 4>") "  "
                                                  "B(s).BlockedToStriped(v, "
                                                  "r);",
     blockedToStriped},
    {"BlockExchangeToBlocked", "block/block_exchange.cuh",
     KCL_BLOCK("cub::BlockExchange<int, 128, 4>") "  "
                                                  "B(s).StripedToBlocked(v, "
                                                  "r);",
     stripedToBlocked},
    {"WarpExchange", "warp/warp_exchange.cuh",
     KCL_WARP("cub::WarpExchange<int, 4, 32>") "  "
                                               "B(s[warp]).BlockedToStriped("
                                               "v, r);",
     warpStriped},
    {"BlockHistogramAtomic", "block/block_histogram.cuh",
     KCL_BLOCK("cub::BlockHistogram<unsigned char, 128, 4, 128, "
               "cub::BLOCK_HISTO_ATOMIC>") "  __shared__ int bins[128];\n  "
                                           "unsigned char d[items];\n"
                                           "  for (int i = 0; i < items; "
                                           "++i) d[i] = v[i] & 127;\n"
                                           "  B(s).Histogram(d, bins);\n  "
                                           "__syncthreads();\n  r[0] = "
                                           "bins[t];",
     [](const Values &v) {
       Values out(tile, 0);
       for (int x : v)
         ++out[size_t(x & 127) * items];
       return out;
     }},
    {"BlockHistogramSort", "block/block_histogram.cuh",
     KCL_BLOCK("cub::BlockHistogram<unsigned char, 128, 4, 128, "
               "cub::BLOCK_HISTO_SORT>") "  __shared__ int bins[128];\n  "
                                         "unsigned char d[items];\n"
                                         "  for (int i = 0; i < items; ++i) "
                                         "d[i] = v[i] & 127;\n"
                                         "  B(s).Histogram(d, bins);\n  "
                                         "__syncthreads();\n  r[0] = "
                                         "bins[t];",
     [](const Values &v) {
       Values out(tile, 0);
       for (int x : v)
         ++out[size_t(x & 127) * items];
       return out;
     }},
    {"BlockDiscontinuity", "block/block_discontinuity.cuh",
     KCL_BLOCK("cub::BlockDiscontinuity<int, 128>") "  struct Differ {\n"
                                                    "    __device__ bool "
                                                    "operator()(int a, int b) "
                                                    "const { return a != b; }\n"
                                                    "  };\n"
                                                    "  for (int i = 0; i < "
                                                    "items; ++i) v[i] >>= 8;\n"
                                                    "  B(s).FlagHeads(r, v, "
                                                    "Differ());",
     [](const Values &v) {
       Values out(tile);
       for (size_t i = 0; i < v.size(); ++i)
         out[i] = i == 0 || (v[i] >> 8) != (v[i - 1] >> 8);
       return out;
     }},
    {"BlockAdjacentDifference", "block/block_adjacent_difference.cuh",
     KCL_BLOCK("cub::BlockAdjacentDifference<int, 128>") "  "
                                                         "B(s).SubtractLeft("
                                                         "v, r, [](int a, "
                                                         "int b) { return a "
                                                         "- b; });",
     [](const Values &v) {
       Values out = v;
       for (size_t i = 1; i < v.size(); ++i)
         out[i] = v[i] - v[i - 1];
       return out;
     }},
    {"BlockShuffle", "block/block_shuffle.cuh",
     KCL_BLOCK("cub::BlockShuffle<int, 128>") "  B(s).Rotate(v[0], r[0], 3);",
     [](const Values &v) {
       Values out(tile, 0);
       for (int t = 0; t < threads; ++t)
         out[size_t(t * items)] = v[size_t((t + 3) % threads * items)];
       return out;
     }},
};

class Cub : public testing::TestWithParam<Kernel> {};
TEST_P(Cub, GivesTheHostsAnswer) { check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Primitives, Cub, testing::ValuesIn(kernels),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
