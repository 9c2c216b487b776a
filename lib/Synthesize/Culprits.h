//===- Culprits.h - Which winners make a module wrong -----------*- C++ -*-===//
//
// Private to lib/Synthesize. Pure: what a trial is, the caller says.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_CULPRITS_H
#define KERNELCLAW_LIB_SYNTHESIZE_CULPRITS_H

#include "kernelclaw/Plan/VerifyReport.h"

#include <functional>

namespace kclaw {

/// How the module with some winners inside was judged.
struct Trial {
  VerifyStatus status = VerifyStatus::Unverified;
  std::string reason;
};
using RunTrial = std::function<Trial(const std::vector<std::string> &winners)>;

struct Culprit {
  std::string name;
  std::string reason; ///< of the trial that its presence made fail
};

struct Culprits {
  /// Passed: without `found` the module is right. Failed: it is wrong without
  /// any winner. Unverified: a trial could not be judged (`reason`).
  VerifyStatus status = VerifyStatus::Unverified;
  std::string reason;
  std::vector<Culprit> found;
  std::vector<std::string> kept;
};

/// `winners` failed together. Finds one culprit at a time by bisecting prefixes
/// (an empty one passes), drops it and tries the rest: about log2(n) + 1 trials
/// each.
Culprits findCulprits(std::vector<std::string> winners, const RunTrial &run);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_CULPRITS_H
