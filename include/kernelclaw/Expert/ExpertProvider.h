//===- ExpertProvider.h - The memory bank as a provider ---------*- C++ -*-===//
//
// The default provider: reads memorybank/skeletons, matches them against the
// region's op graph, instantiates the best first and answers like any model
// (a reply whose text holds a plan). No network. Skeletons are data; this code
// only interprets them.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_EXPERT_EXPERTPROVIDER_H
#define KERNELCLAW_EXPERT_EXPERTPROVIDER_H

#include "kernelclaw/Provider/Provider.h"

namespace kclaw {

/// `memorybank` is the folder; an unreadable skeleton is an error that names
/// the file and what is wrong.
Expected<std::unique_ptr<Provider>>
createExpertProvider(const std::string &memorybank);

} // namespace kclaw

#endif // KERNELCLAW_EXPERT_EXPERTPROVIDER_H
