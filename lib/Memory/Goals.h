//===- Goals.h - What a witness has to show ---------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_MEMORY_GOALS_H
#define KERNELCLAW_LIB_MEMORY_GOALS_H

#include "WitnessSearch.h"

namespace kclaw {

/// The parts of a case that must hold, as texts: bottleneck, structure, the
/// terms of the signature, "headroom", "when"; "any" is no part.
std::vector<std::string> partsOf(const Case &one);

/// Whether one part holds; nullopt: not known.
std::optional<bool> partHolds(const Case &one, const std::string &part,
                              const Scope &scope);

/// The clauses of what `goal` (case, without, method, precondition) shows.
/// Empty where an entry that it names is not there.
std::vector<Clause> clausesOf(const MemoryBank &bank, const Witness &goal);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_GOALS_H
