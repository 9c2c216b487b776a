//===- Scope.h - Values of all names in one context -------------*- C++ -*-===//
//
// Features, then derived numbers, then predicates (0 or 1, or not known), each
// computed once, in the order of the files. Values; not shared.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_MEMORY_SCOPE_H
#define KERNELCLAW_LIB_MEMORY_SCOPE_H

#include "kernelclaw/Memory/MemoryBank.h"

namespace kclaw {

class Scope {
public:
  Scope(const MemoryBank &bank, const std::map<std::string, double> &features);

  std::optional<double> value(const std::string &name) const;
  std::optional<double> value(const Condition &condition) const {
    return condition.value(
        [this](const std::string &name) { return value(name); });
  }
  bool holds(const Condition &condition) const {
    auto known = value(condition);
    return known && *known != 0;
  }
  /// "NAME", "not NAME" or "any".
  bool holdsTerm(const std::string &term) const;
  /// The first tier that holds, or "unknown".
  const std::string &headroom() const { return tier; }

  /// Features and derived numbers that are known.
  std::map<std::string, double> numbers() const;
  std::vector<std::string> predicates() const; ///< that hold

private:
  const MemoryBank &bank;
  std::map<std::string, double> values;
  std::string tier = "unknown";
};

/// Whether all parts of the case hold.
bool fits(const Case &one, const Scope &scope);

/// Whether a precondition lets a method through: it holds, or it is not known
/// and either there is no plan yet, so that it is about what only a plan has,
/// or the case lets that pass. `match`: null where no case fits.
bool permits(const NamedCondition &precondition, const Scope &scope,
             const Case *match);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_SCOPE_H
