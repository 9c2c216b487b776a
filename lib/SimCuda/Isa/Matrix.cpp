//===- Matrix.cpp -===//
#include "Bind.h"

namespace kclaw::sim {

std::span<const Row> matrixRows() { return {}; }

} // namespace kclaw::sim
