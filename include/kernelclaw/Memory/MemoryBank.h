//===- MemoryBank.h - Expert knowledge, as loaded ---------------*- C++ -*-===//
//
// Long-term memory: the folder memorybank/ as plain structs. Immutable after
// loading; a wrong entry is an error that names file, key and why. What each
// file holds: memorybank/README.md.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_MEMORY_MEMORYBANK_H
#define KERNELCLAW_MEMORY_MEMORYBANK_H

#include "kernelclaw/Memory/Condition.h"
#include "kernelclaw/Memory/Features.h"

#include <map>
#include <string>
#include <vector>

namespace kclaw {

/// hardware/NAME.json.
struct Hardware {
  std::string name, arch;
  Facts facts;
  std::map<std::string, std::string> units;        ///< of the facts
  std::vector<std::string> instructions, pitfalls; ///< one sentence each
};

/// diagnosis/predicates.json and derived.json: a named condition or number.
struct NamedCondition {
  std::string name, meaning;
  Condition condition;
  std::string source; ///< of a predicate's threshold
};

/// methods/NAME/method.json.
struct Method {
  std::string name, title, when, why, how;
  std::map<std::string, int> expect;         ///< counter or "time" -> +1, -1, 0
  std::vector<NamedCondition> preconditions; ///< all must hold
  std::vector<std::string> hazards;
  std::string scope; ///< "kernel" or "graph"
  /// Worth applying to a kernel that it made already: to another loop, launch
  /// or operand, or further.
  bool repeatable = false;
  std::string example; ///< text of example.cu
};

/// One row of diagnosis/cases/*.json: bottleneck x structure x headroom. It
/// fits where all three and the signature hold.
struct Case {
  /// Bottleneck and structure are predicates, headroom tiers with | between;
  /// each may be "any".
  std::string name, bottleneck, structure, headroom, scope;
  std::vector<std::string> signature; ///< predicates; "not NAME" negates
  Condition when;                     ///< beyond the signature; may be "1"
  std::vector<std::string> allowed;   ///< methods, best guess first
  std::map<std::string, std::string> forbidden; ///< method -> why
  std::string advice;                           ///< one line for the planner
  /// The case is there because little is known: a precondition whose value is
  /// not known lets a method through.
  bool unknownPasses = false;
};

/// lessons/*.json: failure signature -> cause -> fix.
struct Lesson {
  std::string name, stage; ///< compile | ptxas | launch | numerics | timing
  std::string pattern;     ///< ECMAScript regular expression over the evidence
  std::string outcome, rule; ///< of the Evaluation; empty: any
  std::string example;       ///< a text that the pattern matches
  std::string cause, fix;
};

struct MemoryBank {
  std::string directory;
  std::vector<Hardware> hardware;
  std::vector<NamedCondition> derived, predicates;
  std::vector<NamedCondition> headrooms;   ///< tiers, first that holds
  std::vector<NamedCondition> consistency; ///< hold of all true features
  std::vector<Case> cases;                 ///< in order: the first that fits
  std::vector<Method> methods;
  std::vector<Lesson> lessons;

  const Method *method(const std::string &name) const;
  const Hardware *target(const std::string &arch) const;
};

Expected<MemoryBank> loadMemoryBank(const std::string &directory);

} // namespace kclaw

#endif // KERNELCLAW_MEMORY_MEMORYBANK_H
