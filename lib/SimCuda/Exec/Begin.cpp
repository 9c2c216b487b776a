//===- Begin.cpp ----------------------------------------------------------===//
#include "AsyncState.h"
#include "Run.h"

namespace kclaw::sim {

void beginBlock(Block &block) { block.async.reset(); }

} // namespace kclaw::sim
