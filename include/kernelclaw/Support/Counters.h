//===- Counters.h - The counters of a profile, in one table -----*- C++ -*-===//
//
// What a profile may say of a kernel, under one name whoever measured: a GPU
// (by the metrics of CUPTI and Nsight Compute named here) or the simulator
// (which fills the rows that it can, under the same names and units). At most
// 25. The hardware's metrics are those of sm_80 (GA100) and sm_90 (GH100); both
// have all of them under one name. A row without a metric is computed.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_SUPPORT_COUNTERS_H
#define KERNELCLAW_SUPPORT_COUNTERS_H

#include <string_view>

namespace kclaw {

struct CounterRow {
  std::string_view name; ///< key in KernelProfile::counters
  std::string_view unit; ///< "%": of the peak, 0 to 100, or as `meaning` says
  std::string_view meaning;
  std::string_view metric; ///< CUPTI's name on sm_80 and sm_90; empty: computed
};

inline constexpr CounterRow counterTable[] = {
    // How near to the peak each unit works: averages over the kernel's time.
    {"dramThroughput", "%", "DRAM traffic of its peak",
     "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"l2Throughput", "%", "busiest part of the L2 of its peak",
     "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"l1Throughput", "%", "busiest part of L1 and shared memory of its peak",
     "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"smThroughput", "%", "busiest part of the multiprocessors of its peak",
     "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"tensorPipe", "%",
     "cycles in which the tensor pipe works (HFMA2.MMA too, in small parts)",
     "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"fp32Pipe", "%", "cycles in which the FMA (FP32) pipe works",
     "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    // Traffic.
    {"dramReadBytes", "bytes", "read from DRAM", "dram__bytes_read.sum"},
    {"dramWriteBytes", "bytes", "written to DRAM", "dram__bytes_write.sum"},
    {"l2HitRate", "%", "L2 sector lookups that hit",
     "lts__t_sector_hit_rate.pct"},
    {"sectorsPerLoad", "sectors/request",
     "32-byte sectors that a warp's global load touches; 4 is a coalesced load "
     "of 4 bytes a thread",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
    {"sectorsPerStore", "sectors/request", "the same of global stores",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"},
    {"sharedBankConflicts", "wavefronts",
     "extra passes over shared memory because of bank conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
    {"localLoadSectors", "sectors", "local memory (spills, stack) loaded",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
    {"localStoreSectors", "sectors", "local memory (spills, stack) stored",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
    // Work and its shape.
    {"warpInstructions", "instructions", "executed by warps",
     "smsp__inst_executed.sum"},
    {"threadsPerInstruction", "threads",
     "active threads of a warp instruction; 32 is no divergence",
     "smsp__average_thread_inst_executed_per_inst_executed.ratio"},
    {"achievedOccupancy", "%",
     "resident warps of the most that fit on a "
     "multiprocessor, while it is active",
     "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"theoreticalOccupancy", "%",
     "the same, as registers, shared memory and block size allow", ""},
    // Why resident warps did not issue: share of their cycles.
    {"stallLongScoreboard", "%", "waiting for global, local or texture data",
     "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct"},
    {"stallShortScoreboard", "%", "waiting for shared memory or special units",
     "smsp__warp_issue_stalled_short_scoreboard_per_warp_active.pct"},
    {"stallBarrier", "%", "waiting for other warps at a barrier",
     "smsp__warp_issue_stalled_barrier_per_warp_active.pct"},
    {"stallLgThrottle", "%", "queue of global and local accesses is full",
     "smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct"},
    {"stallMioThrottle", "%",
     "queue of shared memory and special instructions is full",
     "smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct"},
    {"stallMathPipe", "%", "the arithmetic pipe is busy",
     "smsp__warp_issue_stalled_math_pipe_throttle_per_warp_active.pct"},
    {"stallWait", "%", "fixed latency of the instruction before",
     "smsp__warp_issue_stalled_wait_per_warp_active.pct"},
};

} // namespace kclaw

#endif // KERNELCLAW_SUPPORT_COUNTERS_H
