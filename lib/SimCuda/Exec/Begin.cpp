//===- Begin.cpp - A block takes over a resident place --------------------===//
#include "../Check/BlockChecks.h"
#include "../Model/Caches.h"
#include "AsyncState.h"
#include "Run.h"

namespace kclaw::sim {

void beginBlock(Block &block) {
  // Copies that nobody waited for never land.
  if (block.checks && block.async && block.async->pendingBytes)
    block.checks->forgetPending();
  block.async.reset();
  if (block.l1)
    block.l1->clear();
  if (block.checks)
    block.checks->beginBlock();
}

} // namespace kclaw::sim
