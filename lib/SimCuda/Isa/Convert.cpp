//===- Convert.cpp -===//
#include "Bind.h"

namespace kclaw::sim {

std::span<const Row> convertRows() { return {}; }

} // namespace kclaw::sim
