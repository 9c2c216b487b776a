//===- TunableSweep.h - Which values of a plan's tunables -------*- C++ -*-===//
//
// A plan with tunables is many plans; a model pays tokens for one. All
// combinations are tried: the plan check and the resource report throw out what
// cannot run or spills, the rest is timed by successive halving under a cap of
// device seconds. The fastest is then judged in full like any plan.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_TUNABLESWEEP_H
#define KERNELCLAW_LIB_DEVICE_TUNABLESWEEP_H

#include "Judge.h"
#include "Problem.h"

namespace kclaw {

/// What a sweep found. Rows are in the order of the tunables' values, the last
/// tunable fastest.
struct TunableSweep {
  std::vector<TunableRow> table;
  /// Indices of rows that were timed, the best first; the others follow in the
  /// order in which they dropped out.
  std::vector<size_t> ranking;
  double deviceSeconds = 0;
  std::string note; ///< what was left out, and why; empty: nothing
};

/// Whether there is anything to choose.
bool hasChoices(const Plan &plan);

/// The plan with these values chosen.
Plan withTunables(const Plan &plan,
                  const std::map<std::string, int64_t> &values);

/// Compiles and times the instances of `job`'s candidate on `problem`, at whose
/// sizes they are compiled, too (`job.spec`). A failure is one that ends the
/// process (a fault, a hang); it names the values. `sweep` is filled in any
/// case.
Run<void> sweepTunables(const Job &job, const Problem &problem,
                        DeviceSession &session, const std::string &workerPath,
                        const Progress &progress, TunableSweep &sweep);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_TUNABLESWEEP_H
