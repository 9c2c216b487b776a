//===- TaskChecks.h - Does the task prove anything? -------------*- C++ -*-===//
//
// About the region, not about the candidate; answers are the same for each.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_TASKCHECKS_H
#define KERNELCLAW_LIB_DEVICE_TASKCHECKS_H

#include "ResultJudge.h"

namespace kclaw {

struct Discrimination {
  std::vector<Undiscriminating> found;
  size_t telling = 0; ///< results that tell right from wrong
  std::string why;    ///< the first of `found`, for people
};

/// Stock's results of `other` data against the reference of the data drawn
/// last; `bounds`: one a result. Leaves `other` drawn.
Run<Discrimination> checkDiscrimination(Workload &load, const Draw &other,
                                        const std::vector<double> &bounds);

/// Arguments that can be drawn anew without stock's results changing bitwise.
/// Uses the candidate's first results as scratch; leaves `drawn` drawn. Only
/// the first `mostArguments` are tried.
Run<std::vector<int>> inputsWithoutEffect(Workload &load, const Draw &drawn);
constexpr size_t mostArguments = 24;

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_TASKCHECKS_H
