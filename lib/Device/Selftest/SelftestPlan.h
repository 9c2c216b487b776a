//===- SelftestPlan.h - One plan of the self-test, read ---------*- C++ -*-===//
//
// A plan is a .cu file whose leading comment says what it does, on which
// problem, and what must be found. docs/selftest.md has the keys.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTPLAN_H
#define KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTPLAN_H

#include "SelftestFiles.h"
#include "kernelclaw/Support/Error.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kclaw {

/// "mismatch budget", "ok", "harmless poison".
struct Prediction {
  /// Name of an Outcome, or "harmless": ok, but no faster than stock, so that
  /// the trick gains nothing.
  std::string outcome;
  /// The rule that must decide; for harmless the rule that makes it so.
  std::string rule;
  std::string text() const {
    return outcome + (rule.empty() ? "" : " ") + rule;
  }
};

/// The leading comment of a .cu file: keys with their values in order, and
/// what is left as text.
struct SelftestHeader {
  std::string about;
  std::map<std::string, std::vector<std::string>> values;
  /// The first value of a key, or empty.
  std::string first(const std::string &key) const;
};

/// Invalid on a key that is not in the table of SelftestPlan.cpp.
Expected<SelftestHeader> parseSelftestHeader(std::string_view text);

struct SelftestPlan {
  std::string name; ///< of the file
  bool cheat = false;
  std::string source; ///< the whole file
  SelftestHeader header;
  /// The same for both kinds of device, but for what only one of them shows.
  Prediction onGpu, onSimulator;
  std::string gpuOnly; ///< why the simulator cannot show it
  std::string simulatorOnly;

  const Prediction &predicted(bool simulated) const {
    return simulated ? onSimulator : onGpu;
  }
  /// Why it is not run there; empty: it is.
  const std::string &skipped(bool simulated) const {
    return simulated ? gpuOnly : simulatorOnly;
  }
};

/// All plans, cheats first. Invalid names the file.
Expected<std::vector<SelftestPlan>>
parseSelftestPlans(std::span<const SelftestFile> files);

} // namespace kclaw

#endif // KERNELCLAW_LIB_DEVICE_SELFTEST_SELFTESTPLAN_H
