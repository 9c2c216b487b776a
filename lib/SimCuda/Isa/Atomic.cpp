//===- Atomic.cpp -===//
#include "Bind.h"

namespace kclaw::sim {

std::span<const Row> atomicRows() { return {}; }

} // namespace kclaw::sim
