//===- Experience.h - What one attempt taught -------------------*- C++ -*-===//
//
// One row of what is learned: in this context this method was applied, this
// was predicted, this was measured. Failures are rows too. Written by the loop
// after each evaluated attempt (Store::learn), read back to rank methods
// (Memory/Ranking.h). JSON form: docs/schema/experience.schema.json.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_EXPERIENCE_H
#define KERNELCLAW_PLAN_EXPERIENCE_H

#include "kernelclaw/Plan/Evaluation.h"

#include <map>
#include <string>

namespace kclaw {

struct Experience {
  /// "<run>/<specHash>/<attempt>": the same attempt is one row, however often
  /// it is written.
  std::string id;
  std::string specHash, family, arch, policy;
  /// Features of the parent (Memory/Features.h), as they were when the method
  /// was chosen; a seed's are those of the region and its stock.
  std::map<std::string, double> context;
  std::string caseName; ///< of the decision table; empty: no case fitted
  std::string method;   ///< a card under memorybank/methods, or "seed"
  /// Counter (Support/Counters.h, or "time") -> +1 up, -1 down, 0 unchanged.
  std::map<std::string, int> predicted;
  /// Counter -> after / before (1: unchanged), where both were measured.
  std::map<std::string, double> measured;
  Outcome outcome = Outcome::Rejected;
  std::string rule; ///< Evaluation::rule of a failure
  Evidence evidence = Evidence::None;
  /// Parent's time / this one's, each as a ratio to the stock measured beside
  /// it; > 1 is a gain. 0: not measured (a failure).
  double gain = 0;
  /// Id of the failed attempt that this one mends; empty: none. Both are the
  /// same application of the method: the last of a chain counts.
  std::string mends;
  std::string device; ///< DeviceIdentity::name
  double weight = 1;  ///< less for rows that were imported
  int64_t unixSeconds = 0;
};

std::string toJson(const Experience &experience); ///< one line
Expected<Experience> parseExperience(const std::string &json);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_EXPERIENCE_H
