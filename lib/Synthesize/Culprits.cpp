//===- Culprits.cpp - Which winners make a module wrong -------------------===//
#include "Culprits.h"

namespace kclaw {

Culprits findCulprits(std::vector<std::string> winners, const RunTrial &run) {
  Culprits result;
  result.kept = std::move(winners);
  std::vector<std::string> &kept = result.kept;
  Trial trial = run({});
  if (trial.status != VerifyStatus::Passed) {
    result.status = trial.status;
    result.reason = trial.reason;
    return result;
  }
  do {
    std::string reason = trial.reason; // of the rest, when one is found already
    size_t passes = 0;
    size_t fails = kept.size();
    while (fails - passes > 1) {
      size_t middle = passes + (fails - passes) / 2;
      trial = run({kept.begin(), kept.begin() + middle});
      if (trial.status == VerifyStatus::Unverified) {
        result.reason = trial.reason;
        return result;
      }
      bool failed = trial.status == VerifyStatus::Failed;
      (failed ? fails : passes) = middle;
      if (failed)
        reason = trial.reason;
    }
    result.found.push_back({kept[fails - 1], reason});
    kept.erase(kept.begin() + (fails - 1));
    // Nothing left: that the empty module passes is known.
    trial = kept.empty() ? Trial{VerifyStatus::Passed, ""} : run(kept);
    if (trial.status == VerifyStatus::Unverified) {
      result.reason = trial.reason;
      return result;
    }
  } while (trial.status == VerifyStatus::Failed);
  result.status = VerifyStatus::Passed;
  return result;
}

} // namespace kclaw
