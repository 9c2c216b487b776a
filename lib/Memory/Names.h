//===- Names.h - What conditions may name -----------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_MEMORY_NAMES_H
#define KERNELCLAW_LIB_MEMORY_NAMES_H

#include "kernelclaw/Memory/MemoryBank.h"

#include <set>
#include <string>
#include <string_view>

namespace kclaw {

/// Whether it is a row of featureTable() or of counterTable.
bool isFeature(std::string_view name);
bool isCounter(std::string_view name);

/// Names that are known so far.
using NameSet = std::set<std::string, std::less<>>;
NameSet featureNames();

/// "unknown WHAT 'nmae'; did you mean 'name'?"
std::string unknownName(const std::string &what, const std::string &name,
                        const NameSet &known);

/// Splits "high|medium".
std::vector<std::string> splitTiers(const std::string &text);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_NAMES_H
