//===- Conversation.h - What an attempt asks --------------------*- C++ -*-===//
//
// Private. From the region and what was tried so far to the messages of one
// attempt of the strategy `greedy`. Deterministic: a resumed run asks the same.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_CONVERSATION_H
#define KERNELCLAW_LIB_AGENT_CONVERSATION_H

#include "Prompts.h"
#include "Tree.h"
#include "kernelclaw/Agent/Agent.h"

namespace kclaw {

/// The first attempt is generate.md, one after a failure repair.md, one after
/// a kernel that is right optimize.md, with the best so far.
Expected<Conversation> buildConversation(const Prompts &prompts,
                                         const RegionTask &task,
                                         const AgentOptions &options,
                                         int attempt, const Tree &tree);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_CONVERSATION_H
