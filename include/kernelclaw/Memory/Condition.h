//===- Condition.h - A condition over features ------------------*- C++ -*-===//
//
// "dramThroughput < 60 and not (spills or rows < 2 * sms)": numbers, names of
// features and predicates, + - * /, comparisons, and / or / not, min, max,
// abs. Truth is three-valued (Kleene): a feature that is not known makes a
// comparison unknown, and unknown is not true; known(x) says whether it is
// known. Thread-compatible.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_MEMORY_CONDITION_H
#define KERNELCLAW_MEMORY_CONDITION_H

#include "kernelclaw/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kclaw {

class Condition {
public:
  /// The error names the column and what was expected there.
  static Expected<Condition> parse(const std::string &text);

  /// nullopt: unknown. `lookUp` gives a name's value, nullopt when not known.
  using LookUp = std::function<std::optional<double>(const std::string &)>;
  std::optional<double> value(const LookUp &lookUp) const;
  /// Whether it is known to hold (value != 0).
  bool holds(const LookUp &lookUp) const {
    auto known = value(lookUp);
    return known && *known != 0;
  }

  /// Names it reads, each once, in order of their first occurrence.
  std::vector<std::string> names() const;
  /// Its constants: where a witness search looks for a border.
  std::vector<double> numbers() const;
  const std::string &text() const { return source; }

  struct Node;

private:
  std::string source;
  std::shared_ptr<const Node> root;
};

} // namespace kclaw

#endif // KERNELCLAW_MEMORY_CONDITION_H
