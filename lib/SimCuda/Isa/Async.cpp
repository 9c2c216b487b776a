//===- Async.cpp -===//
#include "Bind.h"

namespace kclaw::sim {

std::span<const Row> asyncRows() { return {}; }

} // namespace kclaw::sim
