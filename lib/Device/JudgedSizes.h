//===- JudgedSizes.h - The sizes that a plan is judged at -------*- C++ -*-===//
//
// On a GPU: the spec's own; for a resizable plan of a region with dynamic sizes
// also every further sample, the first with every dynamic dimension odd, and,
// where these are fewer than two, a much smaller one of sizes that are even but
// no multiple of four. A region with static sizes
// is embedded for these alone. The simulator is slow: sizes with more than
// `reduceAboveElements` elements in arguments and results are shrunk where all
// three plans are resizable; where one is not, they stay, up to
// `simulatedElements` elements and the instruction budget.
//
// A region with static sizes comes with smaller variants of itself where it has
// some (Job::reduced): they take the place of shrinking.
//
// Shrinking halves the largest dynamic dimension, of those that are at least
// twice their minimum, until the elements fit: the same names, so rows stay
// rows. Each such problem is judged once more with every dynamic dimension odd.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_JUDGEDSIZES_H
#define KERNELCLAW_LIB_DEVICE_JUDGEDSIZES_H

#include "Problem.h"
#include "RunFailure.h"
#include "kernelclaw/Plan/SimulatedSizes.h"

namespace kclaw {

struct JudgedSizes {
  std::vector<Problem> problems; ///< the first is timed too
  bool reduced = false;          ///< one of them is smaller than asked for
};

/// Rejected/"spec" when sizes conflict, "simulation-size" when the simulator
/// would take too long.
Run<JudgedSizes> chooseSizes(const Job &job, bool simulated);

/// The job at each of its reduced problems that the candidate's requirements
/// admit, without images; for a simulator. Empty: to be judged at its own
/// sizes, because they are small, or the candidate or the region has no others.
std::vector<Job> reducedJobs(const Job &job);

/// Elements of all arguments and results.
uint64_t elementCount(const Problem &problem);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_JUDGEDSIZES_H
