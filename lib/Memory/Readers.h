//===- Readers.h - One file of the memory bank, read ------------*- C++ -*-===//
//
// From a file's text to plain structs. Errors name the key and why; the caller
// adds the file.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_MEMORY_READERS_H
#define KERNELCLAW_LIB_MEMORY_READERS_H

#include "Names.h"

namespace kclaw {

Expected<Hardware> readHardware(const std::string &text);

/// A list of {name, meaning, source, KEY}. Each entry's name is added to
/// `known` and may be used by the entries after it.
Expected<std::vector<NamedCondition>>
readConditions(const std::string &text, const char *key, NameSet &known);

/// All but the name and the example.
Expected<Method> readMethod(const std::string &text, const NameSet &known);

/// Predicates, tiers and methods must be those of `bank`.
Expected<std::vector<Case>> readCases(const std::string &text,
                                      const MemoryBank &bank,
                                      const NameSet &known);

Expected<std::vector<Lesson>> readLessons(const std::string &text,
                                          const std::string &stage);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_READERS_H
