//===- Tensor.cpp -===//
#include "Bind.h"

namespace kclaw::sim {

std::span<const Row> tensorRows() { return {}; }

} // namespace kclaw::sim
