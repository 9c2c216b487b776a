//===- Compaction.h - Long conversations made short -------------*- C++ -*-===//
//
// Private.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_COMPACTION_H
#define KERNELCLAW_LIB_AGENT_COMPACTION_H

#include "kernelclaw/Provider/Provider.h"

#include <map>

namespace kclaw {

/// Upper bound, as budgets count.
int64_t conversationTokens(const Conversation &conversation);

/// Shortens all but the newest messages behind the stable prefix: tool outputs
/// to their summaries (by the message's index), long arguments of calls to
/// their length. Nothing else is changed, and nothing is removed: every call
/// keeps its answer. Whole outputs are on record.
void compact(Conversation &conversation,
             const std::map<size_t, std::string> &summaries);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_COMPACTION_H
