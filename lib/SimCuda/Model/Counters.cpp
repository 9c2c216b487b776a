//===- Counters.cpp -------------------------------------------------------===//
#include "Counters.h"

#include <algorithm>
#include <numeric>

namespace kclaw::sim {

namespace {

using Launch = const LaunchRecord &;

double sum(const auto &values) {
  return double(std::accumulate(values.begin(), values.end(), uint64_t(0)));
}
double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

template <InstClass C> double ofClass(Launch l) {
  return double(l.facts.counts.threadInstructions[size_t(C)]);
}

template <InstClass C> double slotsOf(Launch l) {
  return double(l.facts.counts.warpInstructions[size_t(C)]);
}

double residentWarps(Launch l) {
  uint32_t warps = (l.facts.threads + lanes - 1) / lanes;
  return double(warps) * l.facts.residentBlocks;
}

#define KCL_COUNT(EXPR)                                                        \
  [](Launch l) -> double {                                                     \
    const Counts &c = l.facts.counts;                                          \
    (void)c;                                                                   \
    return double(EXPR);                                                       \
  }
#define KCL_CLASS(NAME, CLASS, REAL)                                           \
  {"inst.thread." NAME, "1", "thread instructions of this class", REAL,        \
   ofClass<InstClass::CLASS>}

#define KCL_SLOTS(NAME, CLASS)                                                 \
  {"inst.warp." NAME, "1", "warp instructions of this class", "",              \
   slotsOf<InstClass::CLASS>}

const CounterRow rows[] = {
    // Instructions.
    {"inst.warp", "1", "warp instructions", "smsp__inst_executed.sum",
     KCL_COUNT(sum(c.warpInstructions))},
    {"inst.thread", "1", "thread instructions, guards applied",
     "smsp__thread_inst_executed_pred_on.sum",
     KCL_COUNT(sum(c.threadInstructions))},
    KCL_CLASS("integer", Integer,
              "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"),
    KCL_CLASS("f16", Float16,
              "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum"),
    KCL_CLASS("f32", Float32,
              "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"),
    KCL_CLASS("f64", Float64,
              "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"),
    KCL_CLASS("special", Special, "smsp__inst_executed_pipe_xu.sum"),
    KCL_CLASS("convert", Convert,
              "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum"),
    KCL_CLASS("move", Move,
              "smsp__sass_thread_inst_executed_op_misc_pred_on.sum"),
    KCL_CLASS("load", Load, ""),
    KCL_CLASS("store", Store, ""),
    KCL_CLASS("atomic", Atomic, ""),
    KCL_CLASS("warp", Warp,
              "smsp__sass_thread_inst_executed_op_inter_thread_communication_"
              "pred_on.sum"),
    KCL_CLASS("barrier", Barrier, ""),
    KCL_CLASS("tensor", Tensor, "smsp__inst_executed_pipe_tensor.sum"),
    KCL_CLASS("async_copy", AsyncCopy, ""),
    KCL_CLASS("control", Control,
              "smsp__sass_thread_inst_executed_op_control_pred_on.sum"),
    KCL_SLOTS("integer", Integer),
    KCL_SLOTS("f16", Float16),
    KCL_SLOTS("f32", Float32),
    KCL_SLOTS("f64", Float64),
    KCL_SLOTS("special", Special),
    KCL_SLOTS("convert", Convert),
    KCL_SLOTS("move", Move),
    KCL_SLOTS("load", Load),
    KCL_SLOTS("store", Store),
    KCL_SLOTS("atomic", Atomic),
    KCL_SLOTS("warp", Warp),
    KCL_SLOTS("barrier", Barrier),
    KCL_SLOTS("tensor", Tensor),
    KCL_SLOTS("async_copy", AsyncCopy),
    KCL_SLOTS("control", Control),
    // Divergence.
    {"branch.taken", "1", "branches that lanes of a warp took", "",
     KCL_COUNT(c.branches)},
    {"branch.divergent", "1", "branches whose lanes went both ways",
     "smsp__branch_targets_threads_divergent.sum",
     KCL_COUNT(c.divergentBranches)},
    {"lanes", "1", "lanes that take part in an instruction, on average",
     "smsp__thread_inst_executed_per_inst_executed.ratio",
     KCL_COUNT(share(sum(c.threadInstructions), sum(c.warpInstructions)))},
    // Global memory, as the program asks for it.
    {"global.load.requests", "1", "warp instructions that load",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     KCL_COUNT(c.globalLoadRequests)},
    {"global.load.sectors", "1", "32-byte sectors of those",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     KCL_COUNT(c.globalLoadSectors)},
    {"global.load.bytes", "byte", "bytes that threads asked for",
     "smsp__sass_data_bytes_mem_global_op_ld.sum",
     KCL_COUNT(c.globalLoadBytes)},
    {"global.load.sectors_per_request", "1", "4 is coalesced for 4-byte loads",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     KCL_COUNT(
         share(double(c.globalLoadSectors), double(c.globalLoadRequests)))},
    {"global.store.requests", "1", "warp instructions that store or reduce",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     KCL_COUNT(c.globalStoreRequests)},
    {"global.store.sectors", "1", "32-byte sectors of those",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     KCL_COUNT(c.globalStoreSectors)},
    {"global.store.bytes", "byte", "bytes that threads gave",
     "smsp__sass_data_bytes_mem_global_op_st.sum",
     KCL_COUNT(c.globalStoreBytes)},
    {"global.store.sectors_per_request", "1",
     "4 is coalesced for 4-byte stores",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
     KCL_COUNT(
         share(double(c.globalStoreSectors), double(c.globalStoreRequests)))},
    {"global.store.partial_sectors", "1",
     "sectors of which not every byte was written", "",
     KCL_COUNT(c.partialWriteSectors)},
    {"global.atomic.requests", "1", "of the stores: atomic warp instructions",
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum + "
     "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
     KCL_COUNT(c.atomicRequests)},
    {"global.atomic.turns", "1",
     "operations that the busiest slice of the L2 does one by one", "",
     KCL_COUNT(*std::ranges::max_element(c.atomicSlices))},
    {"async.bytes", "byte", "bytes of cp.async, bulk and tensor copies", "",
     KCL_COUNT(c.asyncBytes)},
    // Shared memory.
    {"shared.load.requests", "1", "warp instructions that load",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum - conflicts",
     KCL_COUNT(c.sharedLoadRequests)},
    {"shared.load.wavefronts", "1", "passes of the banks",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     KCL_COUNT(c.sharedLoadWavefronts)},
    {"shared.load.conflicts", "1", "passes that bank conflicts add",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     KCL_COUNT(c.sharedLoadWavefronts - c.sharedLoadIdeal)},
    {"shared.store.requests", "1", "warp instructions that store or reduce", "",
     KCL_COUNT(c.sharedStoreRequests)},
    {"shared.store.wavefronts", "1", "passes of the banks",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     KCL_COUNT(c.sharedStoreWavefronts)},
    {"shared.store.conflicts", "1", "passes that bank conflicts add",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     KCL_COUNT(c.sharedStoreWavefronts - c.sharedStoreIdeal)},
    {"shared.atomic.turns", "1",
     "turns that atomics take when lanes share an address", "",
     KCL_COUNT(c.sharedAtomicTurns)},
    // Local memory: spills and arrays that are indexed.
    {"local.requests", "1", "warp instructions on local memory",
     "smsp__inst_executed_op_local.sum", KCL_COUNT(c.localRequests)},
    {"local.sectors", "1", "32-byte sectors of those",
     "l1tex__t_sectors_pipe_lsu_mem_local.sum", KCL_COUNT(c.localSectors)},
    {"local.bytes", "byte", "bytes that threads moved", "",
     KCL_COUNT(c.localBytes)},
    // Caches and memory: models, not exact (Caches.h).
    {"l1.lines", "1", "lines looked up", "l1tex__t_tag_requests.sum",
     KCL_COUNT(c.l1Lines)},
    {"l1.wavefronts", "1", "cycles of the L1's data path, shared memory apart",
     "", KCL_COUNT(c.l1Wavefronts)},
    {"l1.hit.sectors", "1", "sectors that the L1 had",
     "l1tex__t_sectors_pipe_lsu_lookup_hit.sum", KCL_COUNT(c.l1HitSectors)},
    {"l2.read.sectors", "1", "sectors read through the L2, atomics included",
     "lts__t_sectors_op_read.sum", KCL_COUNT(c.l2ReadSectors)},
    {"l2.write.sectors", "1",
     "sectors written through the L2, atomics included",
     "lts__t_sectors_op_write.sum", KCL_COUNT(c.l2WriteSectors)},
    {"l2.hit_rate", "1/1", "of the sectors read",
     "lts__t_sector_op_read_hit_rate.pct / 100",
     KCL_COUNT(share(double(c.sampledHits),
                     double(c.sampledHits + c.sampledMisses)))},
    {"dram.read.bytes", "byte", "bytes read from memory",
     "dram__bytes_read.sum", KCL_COUNT(32 * memoryReadSectors(c))},
    {"dram.write.bytes", "byte", "bytes written to memory, late ones included",
     "dram__bytes_write.sum", KCL_COUNT(32 * memoryWriteSectors(c))},
    // Work of other kinds.
    {"barriers", "1", "arrivals of warps at barriers of a block", "",
     KCL_COUNT(c.barriers)},
    {"tensor.multiply_adds", "1", "multiply-adds of the tensor cores",
     "sm__ops_path_tensor.sum / 2", KCL_COUNT(c.tensorMultiplyAdds)},
    // Resources and occupancy.
    {"launch.blocks", "1", "blocks of the grid", "launch__grid_size",
     KCL_COUNT(l.facts.blocks)},
    {"launch.threads", "1", "threads of a block", "launch__block_size",
     KCL_COUNT(l.facts.threads)},
    {"launch.registers", "1", "registers of a thread, estimated",
     "launch__registers_per_thread", KCL_COUNT(l.facts.registers)},
    {"launch.shared.bytes", "byte", "shared memory of a block",
     "launch__shared_mem_per_block", KCL_COUNT(l.facts.sharedBytes)},
    {"occupancy.blocks", "1", "blocks that fit one multiprocessor",
     "launch__occupancy_limit_*, the least", KCL_COUNT(l.facts.residentBlocks)},
    {"occupancy", "1/1", "warps that fit, of what the multiprocessor holds",
     "sm__maximum_warps_per_active_cycle_pct / 100",
     KCL_COUNT(
         share(residentWarps(l), double(l.device->threadsPerSm) / lanes))},
    {"path.loads", "1",
     "loads one after the other in a block's slowest warp, on average", "",
     KCL_COUNT(share(double(c.pathLoads), double(l.facts.blocks)))},
    {"path.cycles", "1", "other cycles of that warp, on average", "",
     KCL_COUNT(share(double(c.pathCycles), double(l.facts.blocks)))},
    // The estimate: each resource alone, then together.
    {"time.launch", "ns", "an empty kernel", "", KCL_COUNT(l.time.launch)},
    {"time.dispatch", "ns", "handing out the blocks", "",
     KCL_COUNT(l.time.dispatch)},
    {"time.memory", "ns", "bytes to and from memory", "",
     KCL_COUNT(l.time.memory)},
    {"time.l2", "ns", "sectors through the L2", "", KCL_COUNT(l.time.l2)},
    {"time.atomics", "ns", "atomics at the busiest slice of the L2", "",
     KCL_COUNT(l.time.atomics)},
    {"time.l1", "ns", "data path of L1 and shared memory", "",
     KCL_COUNT(l.time.l1)},
    {"time.issue", "ns", "issue slots", "", KCL_COUNT(l.time.issue)},
    {"time.pipe", "ns", "the busiest arithmetic pipe", "",
     KCL_COUNT(l.time.pipe)},
    {"time.tensor", "ns", "tensor cores", "", KCL_COUNT(l.time.tensor)},
    {"time.latency", "ns", "chains of dependent instructions", "",
     KCL_COUNT(l.time.latency)},
    {"time", "ns", "the estimate", "gpu__time_duration.sum",
     KCL_COUNT(l.time.total)},
};

} // namespace

std::span<const CounterRow> counterRows() { return rows; }

} // namespace kclaw::sim
