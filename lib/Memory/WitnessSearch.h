//===- WitnessSearch.h - Features that satisfy conditions -------*- C++ -*-===//
//
// A local search (WalkSAT: Selman, Kautz and Cohen, 1994) over the ranges of
// the feature table and the borders that conditions name. It starts at the
// base and changes what a clause that does not hold reads, so that witnesses
// stay near the base. Deterministic.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_MEMORY_WITNESSSEARCH_H
#define KERNELCLAW_LIB_MEMORY_WITNESSSEARCH_H

#include "Scope.h"
#include "kernelclaw/Memory/CheckBank.h"

#include <functional>

namespace kclaw {

/// Something that must hold, and the names whose values decide it.
struct Clause {
  std::vector<std::string> names;
  std::function<bool(const Scope &)> holds;
};

class WitnessSearch {
public:
  WitnessSearch(const MemoryBank &bank,
                const std::map<std::string, double> &base);

  /// Changes against the base with which all clauses hold and nothing is
  /// inconsistent; nullopt: none was found.
  std::optional<std::map<std::string, double>>
  find(const std::vector<Clause> &clauses, const std::string &level,
       uint64_t seed) const;

  /// The base as far as `level` knows it, with the changes.
  std::map<std::string, double>
  features(const std::string &level,
           const std::map<std::string, double> &changes) const;

  bool consistent(const Scope &scope) const;

  static const std::vector<std::string> &levels();

private:
  std::vector<std::string> featuresBehind(const Clause &clause) const;
  size_t violations(const std::map<std::string, double> &features,
                    const std::vector<Clause> &clauses,
                    std::vector<const Clause *> *which = nullptr) const;

  const MemoryBank &bank;
  std::map<std::string, double> base;
  std::map<std::string, std::vector<double>> candidates;
  std::map<std::string, std::vector<std::string>> behind; ///< of each name
  std::vector<Clause> consistency;
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_WITNESSSEARCH_H
