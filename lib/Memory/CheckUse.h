//===- CheckUse.h - That each entry is used ---------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_MEMORY_CHECKUSE_H
#define KERNELCLAW_LIB_MEMORY_CHECKUSE_H

#include "kernelclaw/Memory/CheckBank.h"

namespace kclaw {

/// Derived numbers, predicates and tiers that nothing reads; lessons that do
/// not match their example or that an earlier one hides.
void checkUse(const MemoryBank &bank, CheckReport &report);

} // namespace kclaw

#endif // KERNELCLAW_LIB_MEMORY_CHECKUSE_H
