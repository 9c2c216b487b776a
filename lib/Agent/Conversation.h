//===- Conversation.h - What an attempt asks --------------------*- C++ -*-===//
//
// Private. From the region and what was tried so far to the messages of one
// attempt. Deterministic: a resumed run asks the same.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_AGENT_CONVERSATION_H
#define KERNELCLAW_LIB_AGENT_CONVERSATION_H

#include "Prompts.h"
#include "kernelclaw/Agent/Agent.h"

#include <optional>

namespace kclaw {

struct AttemptRecord {
  int number = 0;
  std::optional<Plan> plan; ///< none when the reply held no usable one
  Evaluation evaluation;
};

/// `best` is the winner so far among `history`, or null: the first attempt is
/// generate.md, one after a failure repair.md, one after a kernel that is
/// right optimize.md.
Expected<Conversation>
buildConversation(const Prompts &prompts, const RegionTask &task,
                  const AgentOptions &options, int attempt,
                  const std::vector<AttemptRecord> &history,
                  const AttemptRecord *best);

} // namespace kclaw

#endif // KERNELCLAW_LIB_AGENT_CONVERSATION_H
