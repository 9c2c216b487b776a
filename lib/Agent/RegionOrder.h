//===- RegionOrder.h - Where a module's budget is spent ---------*- C++ -*-===//
//
// Private. A region's weight is its share of the module's stock time times its
// headroom (stock time over the roofline's bound, Williams et al., CACM 52(4),
// 2009): what could be gained there at most. The heaviest come first and may
// use that part of the budget.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_REGIONORDER_H
#define KERNELCLAW_LIB_AGENT_REGIONORDER_H

#include "kernelclaw/Agent/Agent.h"

#include <map>

namespace kclaw {

/// Microseconds of stock by specHash, where they were measured.
using StockTimes = std::map<std::string, double>;

struct RegionWeight {
  size_t task = 0;              ///< index of the first task with the region
  int uses = 1;                 ///< tasks with the same region
  double stockMicroseconds = 0; ///< of one use
  bool measured = false;        ///< else modelled; see modelStock
  double boundMicroseconds = 0;
  double timeShare = 0; ///< of the module's, all uses; 0 to 1
  double headroom = 1;  ///< stock / bound, at least 1
  /// timeShare x headroom, scaled so that all add up to 1.
  double weight = 0;
  /// Measured, and so near the bound that no kernel can win: never sent.
  bool atRoofline(double minSpeedup) const {
    return measured && boundMicroseconds > 0 && headroom < minSpeedup;
  }
};

/// Operations a second at most, by what the policy allows for the region's
/// widest argument.
double peakFlops(const KernelSpec &spec, const RooflineRates &rates);
/// Steps of one run of a plan; at least 1.
int launches(const Plan &plan);

/// The roofline's bound for one call.
double boundMicroseconds(const KernelSpec &spec, const RooflineRates &rates);

/// Stock's time without a measurement: what must move, and the intermediate
/// values that its kernels hand on through memory (all of them with one kernel
/// an op, none with one kernel), at the rates, and the launches.
double modelStock(const RegionTask &task, const RooflineRates &rates);

/// Each different region once, the heaviest first; equal ones in the order of
/// the tasks.
std::vector<RegionWeight> orderRegions(const std::vector<RegionTask> &tasks,
                                       const RooflineRates &rates,
                                       const StockTimes &measured);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_REGIONORDER_H
