//===- PerturbedReference.h - Right answers near a threshold ----*- C++ -*-===//
//
// A boolean, a rounded integer, or a float behind an op with steps may rightly
// differ from the reference where the value before the step is within budget of
// the threshold. The reference is run again with its float inputs moved up and
// down by the budget; an element that one of these references also has is right
// (Rules/Threshold.h). Booleans and integers may also be as stock has them.
//
// Runs only where something differs: two references for a candidate near a
// threshold, eight at most, none for one that is plainly wrong.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_PERTURBEDREFERENCE_H
#define KERNELCLAW_LIB_DEVICE_PERTURBEDREFERENCE_H

#include "Comparison.h"

namespace kclaw {

/// A result whose differences may be excused; `found` is replaced by what is
/// left of them.
struct Doubt {
  ComparedResult compared;
  double epsilon = 0; ///< how far inputs are moved
  Comparison *found = nullptr;
  DeviceMemory marks = {};
};

/// Few enough elements differ that they may all be near a threshold.
bool isDoubtful(const Comparison &found, const ResultClass &what, double bound);

/// The reference's results, its row scales and the inputs are afterwards those
/// of the current draw again.
Run<void> resolveDoubts(Workload &load, std::vector<Doubt> &doubts,
                        uint8_t poisonByte);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_PERTURBEDREFERENCE_H
