//===- Grid.cpp - Host threads, resident blocks, special registers --------===//
#include "../Check/BlockChecks.h"
#include "../Model/Caches.h"
#include "Block.h"
#include "CriticalPath.h"
#include "Fault.h"
#include "Pattern.h"
#include "Run.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace kclaw::sim {

Dim3 Block::threadIndex(uint32_t t) const {
  const Dim3 &size = grid->config->block;
  return {t % size.x, t / size.x % size.y, t / size.x / size.y};
}

namespace {

constexpr size_t align(size_t bytes, size_t unit = 64) {
  return (bytes + unit - 1) / unit * unit;
}

/// Aligned like windows of shared and local memory: variables in them are
/// aligned in generic addresses too.
constexpr size_t windowAlignment = 1024;

struct AlignedBytes {
  explicit AlignedBytes(size_t bytes)
      : data(static_cast<std::byte *>(std::aligned_alloc(
            windowAlignment,
            align(std::max<size_t>(bytes, 64), windowAlignment)))) {}
  AlignedBytes(AlignedBytes &&other) noexcept
      : data(std::exchange(other.data, nullptr)) {}
  ~AlignedBytes() { std::free(data); }
  std::byte *data;
};

/// What a special register holds for lane l of a warp.
using SpecialValue = uint64_t (*)(const Warp &w, unsigned lane);

uint32_t threadOf(const Warp &w, unsigned l) { return w.index * lanes + l; }

Dim3 clusterGrid(const Grid &grid) {
  const LaunchConfig &c = *grid.config;
  return {c.grid.x / c.cluster.x, c.grid.y / c.cluster.y,
          c.grid.z / c.cluster.z};
}

Dim3 inCluster(const Warp &w) {
  const Dim3 &size = w.block->grid->config->cluster;
  uint32_t r = w.block->rank;
  return {r % size.x, r / size.x % size.y, r / size.x / size.y};
}

/// What cooperative_groups synchronises a cooperative launch's grid by: two
/// words (size, barrier), behind the kernel's parameters where the driver gives
/// no place.
constexpr size_t gridWorkspaceBytes = 16;

#define KCL_DIMS(NAME, EXPR)                                                   \
  {"%" NAME ".x",                                                              \
   [](const Warp &w, unsigned l) -> uint64_t {                                 \
     (void)w, (void)l;                                                         \
     return (EXPR).x;                                                          \
   }},                                                                         \
      {"%" NAME ".y",                                                          \
       [](const Warp &w, unsigned l) -> uint64_t {                             \
         (void)w, (void)l;                                                     \
         return (EXPR).y;                                                      \
       }},                                                                     \
  {                                                                            \
    "%" NAME ".z", [](const Warp &w, unsigned l) -> uint64_t {                 \
      (void)w, (void)l;                                                        \
      return (EXPR).z;                                                         \
    }                                                                          \
  }
#define KCL_VALUE(NAME, EXPR)                                                  \
  {"%" NAME, [](const Warp &w, unsigned l) -> uint64_t {                       \
     (void)w, (void)l;                                                         \
     return uint64_t(EXPR);                                                    \
   }}

const std::pair<std::string_view, SpecialValue> specialValues[] = {
    KCL_DIMS("tid", w.block->threadIndex(threadOf(w, l))),
    KCL_DIMS("ntid", w.block->grid->config->block),
    KCL_DIMS("ctaid", w.block->index),
    KCL_DIMS("nctaid", w.block->grid->config->grid),
    KCL_DIMS("clusterid", w.block->cluster->index),
    KCL_DIMS("nclusterid", clusterGrid(*w.block->grid)),
    KCL_DIMS("cluster_ctaid", inCluster(w)),
    KCL_DIMS("cluster_nctaid", w.block->grid->config->cluster),
    KCL_VALUE("cluster_ctarank", w.block->rank),
    KCL_VALUE("cluster_nctarank", w.block->grid->config->cluster.count()),
    KCL_VALUE("laneid", l),
    KCL_VALUE("warpid", w.index),
    KCL_VALUE("nwarpid", w.block->warps.size()),
    KCL_VALUE("smid", w.block->linear % uint64_t(w.block->grid->smCount)),
    KCL_VALUE("nsmid", w.block->grid->smCount),
    KCL_VALUE("gridid", w.block->grid->launchId),
    KCL_VALUE("lanemask_eq", 1u << l),
    KCL_VALUE("lanemask_lt", (1u << l) - 1),
    KCL_VALUE("lanemask_le", (2ull << l) - 1),
    KCL_VALUE("lanemask_gt", ~((2ull << l) - 1) & allLanes),
    KCL_VALUE("lanemask_ge", ~((1ull << l) - 1) & allLanes),
    KCL_VALUE("dynamic_smem_size", w.block->grid->config->dynamicSharedBytes),
    KCL_VALUE("total_smem_size", w.block->sharedBytes - sharedSystemBytes),
    KCL_VALUE("aggr_smem_size", w.block->sharedBytes),
    KCL_VALUE("envreg1", w.block->grid->workspace >> 32),
    KCL_VALUE("envreg2", w.block->grid->workspace & 0xffffffff),
};

uint64_t nothing(const Warp &, unsigned) { return 0; }

/// A special register's column, its name looked up once.
struct SpecialFill {
  std::byte *place(const Warp &w) const {
    return w.constants + (ref & ~constantBit);
  }
  Ref ref;
  unsigned bytes;
  SpecialValue value = nothing; // %pm, other %envreg: unspecified
  int64_t sharedOffset = -1;    ///< "shared:1024": an address in the window
  bool perBlock = false;        ///< differs between blocks of one place
};

SpecialFill specialFill(const SpecialColumn &column) {
  SpecialFill fill;
  fill.ref = column.ref;
  fill.bytes = bytes(column.type);
  if (column.name.starts_with("shared:")) {
    fill.sharedOffset = std::stoll(column.name.substr(7));
    return fill;
  }
  for (const auto &[known, value] : specialValues)
    if (column.name == known)
      fill.value = value;
  fill.perBlock = column.name.starts_with("%ctaid") ||
                  column.name.starts_with("%clusterid") ||
                  column.name == "%smid";
  return fill;
}

void fillColumn(std::byte *column, unsigned bytesPerLane, unsigned lane,
                uint64_t value) {
  std::memcpy(column + size_t(lane) * bytesPerLane, &value,
              std::min(bytesPerLane, 8u));
}

/// Of a block's shared window. Checks hold accesses to what was asked for;
/// without them they end where the hardware's allocation does.
uint32_t windowBytes(const Grid &grid) {
  constexpr size_t unit = 128; // of sm_80 and sm_90
  uint32_t dynamic = grid.config->dynamicSharedBytes;
  uint32_t end = dynamic ? grid.kernel->dynamicSharedOffset + dynamic
                         : sharedSystemBytes + grid.kernel->sharedBytes;
  return grid.options.checks ? end : uint32_t(align(end, unit));
}

/// What one host thread keeps for the blocks that it runs.
class Resident {
public:
  Resident(Grid &grid, uint32_t clusterCount)
      : grid(grid), perCluster(uint32_t(grid.config->cluster.count())),
        warpCount(uint32_t((grid.config->block.count() + lanes - 1) / lanes)),
        sharedBytes(windowBytes(grid)),
        localStride(grid.program->maxLocalBytes() * grid.program->maxDepth()),
        frames(size_t(grid.program->layout().bytes) * grid.program->maxDepth()),
        constants(align(grid.program->constantBytes())) {
    for (const SpecialColumn &column : grid.program->specials())
      specials.push_back(specialFill(column));
    clusters.resize(clusterCount);
    for (Cluster &cluster : clusters) {
      cluster.blocks.resize(perCluster);
      for (uint32_t rank = 0; rank < perCluster; ++rank) {
        cluster.blocks[rank].rank = rank;
        prepare(cluster.blocks[rank], cluster);
      }
    }
  }

  void start(uint32_t slot, uint64_t clusterIndex);
  void run() {
    runClusters(clusters);
    for (Cluster &cluster : clusters)
      for (Block &block : cluster.blocks)
        addPath(block);
  }
  Counts counts() const {
    Counts all;
    for (const Cluster &cluster : clusters)
      for (const Block &block : cluster.blocks)
        all.add(block.counts);
    return all;
  }

private:
  std::byte *take(size_t bytes) {
    storage.emplace_back(bytes);
    return storage.back().data;
  }
  void prepare(Block &block, Cluster &cluster);
  static void addPath(Block &block);
  void fillConstants(Warp &w);
  void fillSpecials(Warp &w, bool perBlock);

  Grid &grid;
  uint32_t perCluster, warpCount, sharedBytes, localStride;
  size_t frames, constants;
  std::vector<Cluster> clusters;
  std::vector<SpecialFill> specials;
  std::vector<AlignedBytes> storage;
  std::vector<std::unique_ptr<BlockChecks>> checks;
  std::vector<std::unique_ptr<AccessPattern[]>> patterns;
  std::vector<std::unique_ptr<L1Cache>> caches;
};

void Resident::prepare(Block &block, Cluster &cluster) {
  block.grid = &grid;
  block.cluster = &cluster;
  block.sharedBytes = sharedBytes;
  block.shared = take(sharedBytes);
  block.localStride = localStride;
  block.local = take(size_t(localStride) * warpCount * lanes);
  patterns.push_back(std::make_unique<AccessPattern[]>(AccessPattern::kept));
  block.patterns = patterns.back().get();
  if (grid.l2 && grid.l1Bytes) {
    caches.push_back(std::make_unique<L1Cache>(grid.l1Bytes));
    block.l1 = caches.back().get();
  }
  if (grid.options.checks) {
    checks.push_back(std::make_unique<BlockChecks>(
        warpCount, sharedBytes, size_t(localStride) * warpCount * lanes));
    block.checks = checks.back().get();
  }
  block.warps.resize(warpCount);
  for (uint32_t i = 0; i < warpCount; ++i) {
    Warp &w = block.warps[i];
    w.block = &block;
    w.index = i;
    w.registers = take(frames);
    std::memset(w.registers, 0, frames);
    w.constants = take(constants);
    fillConstants(w);
    fillSpecials(w, false);
  }
}

/// Of the warp that waited longest.
void Resident::addPath(Block &block) {
  const Warp *slowest = nullptr;
  auto length = [](const Warp &w) {
    return pathLength(w.pathLoads, w.pathCycles);
  };
  for (const Warp &w : block.warps)
    if (!slowest || length(w) > length(*slowest))
      slowest = &w;
  block.counts.pathLoads += slowest->pathLoads;
  block.counts.pathCycles += slowest->pathCycles;
}

void Resident::fillConstants(Warp &w) {
  for (const ConstantColumn &column : grid.program->constants()) {
    std::byte *place = w.constants + (column.ref & ~constantBit);
    unsigned size = bytes(column.type);
    uint64_t value = column.bits;
    if (column.parameterOffset >= 0) {
      value = 0;
      if (uint64_t(column.parameterOffset) + std::min(size, 8u) >
          grid.config->parameters.size())
        continue; // of another kernel
      std::memcpy(&value,
                  grid.config->parameters.data() + column.parameterOffset,
                  std::min(size, 8u));
    }
    for (unsigned l = 0; l < lanes; ++l)
      fillColumn(place, size, l, value);
  }
}

/// Once a place for what stays the same, and for each block the rest.
void Resident::fillSpecials(Warp &w, bool perBlock) {
  for (const SpecialFill &fill : specials) {
    if (fill.perBlock != perBlock)
      continue;
    if (fill.sharedOffset >= 0) {
      for (unsigned l = 0; l < lanes; ++l)
        fillColumn(fill.place(w), fill.bytes, l,
                   w.block->windowBase() + uint64_t(fill.sharedOffset));
    } else if (perBlock) {
      uint64_t value = fill.value(w, 0);
      for (unsigned l = 0; l < lanes; ++l)
        fillColumn(fill.place(w), fill.bytes, l, value);
    } else {
      for (unsigned l = 0; l < lanes; ++l)
        fillColumn(fill.place(w), fill.bytes, l, fill.value(w, l));
    }
  }
}

void Resident::start(uint32_t slot, uint64_t clusterIndex) {
  Cluster &cluster = clusters[slot];
  const LaunchConfig &config = *grid.config;
  Dim3 shape = clusterGrid(grid);
  cluster.index = {uint32_t(clusterIndex % shape.x),
                   uint32_t(clusterIndex / shape.x % shape.y),
                   uint32_t(clusterIndex / shape.x / shape.y)};
  cluster.barrier = {};
  cluster.signalled = false;
  auto threads = uint32_t(config.block.count());
  for (uint32_t rank = 0; rank < perCluster; ++rank) {
    Block &block = cluster.blocks[rank];
    block.rank = rank;
    Dim3 in = {rank % config.cluster.x,
               rank / config.cluster.x % config.cluster.y,
               rank / config.cluster.x / config.cluster.y};
    block.index = {cluster.index.x * config.cluster.x + in.x,
                   cluster.index.y * config.cluster.y + in.y,
                   cluster.index.z * config.cluster.z + in.z};
    block.linear =
        block.index.x +
        uint64_t(config.grid.x) *
            (block.index.y + uint64_t(config.grid.y) * block.index.z);
    block.aliveThreads = threads;
    block.barrierEpoch = 0;
    for (Barrier &barrier : block.barriers)
      barrier = {};
    beginBlock(block);
    for (Warp &w : block.warps) {
      uint32_t first = w.index * lanes;
      uint32_t here = std::min(lanes, threads - first);
      w.present = w.alive = here == lanes ? allLanes : (1u << here) - 1;
      w.instructions = 0;
      w.pathLoads = w.pathCycles = 0;
      w.patience = 0;
      w.running = 0;
      w.carry = 0;
      w.clusterArrived = 0;
      w.warpgroupOperations = 0;
      w.splits.assign(1, Split{});
      w.splits[0].mask = w.present;
      w.splits[0].function = grid.kernel;
      fillSpecials(w, true);
    }
  }
}

class Workers {
public:
  explicit Workers(Grid &grid) : grid(grid) {}

  Counts run() {
    uint64_t clusters =
        grid.config->grid.count() / grid.config->cluster.count();
    unsigned threads = std::max(1u, grid.options.hostThreads);
    if (grid.config->cooperative) {
      guarded([&] { runTogether(uint32_t(clusters)); });
    } else if (threads == 1 || clusters == 1) {
      guarded([&] { runInTurn(clusters); });
    } else {
      std::vector<std::thread> pool;
      for (unsigned i = 0; i < threads; ++i)
        pool.emplace_back([&] { guarded([&] { runInTurn(clusters); }); });
      for (std::thread &thread : pool)
        thread.join();
    }
    if (error)
      std::rethrow_exception(error);
    return total;
  }

private:
  template <class F> void guarded(F &&f) {
    try {
      f();
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!error)
        error = std::current_exception();
      grid.failed = true;
    }
  }

  void runInTurn(uint64_t clusters) {
    Resident resident(grid, 1);
    while (!grid.failed) {
      uint64_t next = grid.nextCluster.fetch_add(1);
      if (next >= clusters)
        break;
      resident.start(0, next);
      resident.run();
    }
    add(resident.counts());
  }

  /// Cooperative launch: all blocks are resident, on one host thread.
  void runTogether(uint32_t clusters) {
    Resident resident(grid, clusters);
    for (uint32_t i = 0; i < clusters; ++i)
      resident.start(i, i);
    resident.run();
    add(resident.counts());
  }

  void add(const Counts &counts) {
    std::lock_guard lock(mutex);
    total.add(counts);
  }

  Grid &grid;
  std::mutex mutex;
  std::exception_ptr error;
  Counts total;
};

} // namespace

Counts runGrid(Grid &grid) {
  if (grid.program->find("malloc"))
    grid.memory->heap().prepare();
  static std::atomic<uint32_t> launches{0};
  if (grid.options.checks) {
    grid.raceEpoch = launches.fetch_add(1) % 0x7fffffff + 1;
    grid.orderedBlockCount =
        std::clamp<uint64_t>(grid.config->grid.count(), 1, 1 << 20);
    grid.orderedBlocks =
        std::make_unique<std::atomic<uint8_t>[]>(grid.orderedBlockCount);
  }
  if (grid.config->cooperative && !grid.workspace) {
    size_t end = (grid.parameterMemory.size() + 15) / 16 * 16;
    grid.parameterMemory.resize(end + gridWorkspaceBytes);
    grid.workspace =
        reinterpret_cast<uint64_t>(grid.parameterMemory.data() + end);
  }
  return Workers(grid).run();
}

} // namespace kclaw::sim
