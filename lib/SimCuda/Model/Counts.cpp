//===- Counts.cpp ---------------------------------------------------------===//
#include "Counts.h"

namespace kclaw::sim {

// Counts holds nothing but uint64_t, so it adds up as an array of them.
static_assert(sizeof(Counts) % sizeof(uint64_t) == 0);

void Counts::add(const Counts &other) {
  auto *to = reinterpret_cast<uint64_t *>(this);
  const auto *from = reinterpret_cast<const uint64_t *>(&other);
  for (size_t i = 0; i < sizeof(Counts) / sizeof(uint64_t); ++i)
    to[i] += from[i];
}

} // namespace kclaw::sim
