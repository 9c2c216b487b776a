//===- Begin.cpp ----------------------------------------------------------===//
#include "Run.h"

namespace kclaw::sim {

void beginBlock(Block &) {}

} // namespace kclaw::sim
