//===- WarpOps.cpp -===//
#include "Bind.h"

namespace kclaw::sim {

std::span<const Row> warpRows() { return {}; }

} // namespace kclaw::sim
