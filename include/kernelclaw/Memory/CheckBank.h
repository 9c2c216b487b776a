//===- CheckBank.h - That all of the memory bank can be used ----*- C++ -*-===//
//
// Proves by example. A witness is a complete set of features, as far as its
// level knows them, that is consistent (diagnosis/consistency.json) and shows
// one thing: that a case is reached, that a part of a case or a precondition
// makes a difference, that a method can be allowed. diagnosis/witnesses.json
// holds them; where one is missing or wrong, a deterministic search looks for
// another. Thread-compatible.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_MEMORY_CHECKBANK_H
#define KERNELCLAW_MEMORY_CHECKBANK_H

#include "kernelclaw/Memory/MemoryBank.h"

#include <string>
#include <vector>

namespace kclaw {

/// Shows one thing about one case.
struct Witness {
  std::string caseName;
  /// Empty: the case fits and no earlier one. Else a part of the case ("not
  /// spills", "headroom") that alone keeps it from fitting.
  std::string without;
  /// A method of the case: allowed here, or refused by `precondition` alone.
  std::string method, precondition;
  std::string level;                     ///< spec | static | timed | profiled
  std::map<std::string, double> changes; ///< against `base`
};

struct Witnesses {
  std::map<std::string, double> base; ///< all features and counters
  std::vector<Witness> list;
};

Expected<Witnesses> loadWitnesses(const std::string &directory);
Expected<void> saveWitnesses(const std::string &directory,
                             const Witnesses &witnesses);

/// The features of a witness.
std::map<std::string, double> featuresOf(const Witnesses &witnesses,
                                         const Witness &witness);

struct CheckReport {
  std::vector<std::string> errors; ///< each names the entry and what is wrong
  size_t cases = 0, parts = 0, preconditions = 0, methods = 0, lessons = 0;
  Witnesses witnesses; ///< those that hold, and those that were found
  size_t found = 0;    ///< by search, because none was held
};

struct CheckOptions {
  /// Drop witnesses that no longer show anything, instead of reporting them.
  bool renew = false;
  /// Look for witnesses that are not held; otherwise that is an error.
  bool search = true;
};

/// All but the examples, which need a compiler.
CheckReport checkBank(const MemoryBank &bank, const Witnesses &held,
                      const CheckOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_MEMORY_CHECKBANK_H
