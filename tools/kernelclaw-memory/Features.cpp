//===- Features.cpp - kernelclaw-memory features --------------------------===//
#include "Subcommand.h"

#include "kernelclaw/Support/Counters.h"

#include <cstdio>

static const char *nameOf(kclaw::FeatureSource source) {
  static constexpr const char *names[] = {"graph",     "plan", "ptx",
                                          "resources", "time", "hardware"};
  return names[size_t(source)];
}

static void print(std::string_view name, std::string_view unit,
                  const char *from, std::string_view meaning) {
  std::printf("%-24.*s %-16.*s %-9s %.*s\n", int(name.size()), name.data(),
              int(unit.size()), unit.data(), from, int(meaning.size()),
              meaning.data());
}

std::function<int()> addFeatures(CLI::App &, const MemoryOptions &) {
  return [] {
    for (const kclaw::FeatureRow &row : kclaw::featureTable())
      print(row.name, row.unit, nameOf(row.source), row.meaning);
    for (const kclaw::CounterRow &row : kclaw::counterTable)
      print(row.name, row.unit, "counters", row.meaning);
    return int(Good);
  };
}
