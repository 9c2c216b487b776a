//===- Conversation.cpp - What an attempt asks ----------------------------===//
#include "Conversation.h"

#include "Describe.h"
#include "ExtractPlan.h"

namespace kclaw {

Expected<Conversation> buildConversation(const Prompts &prompts,
                                         const RegionTask &task,
                                         const AgentOptions &options,
                                         int attempt, const Tree &tree) {
  const KernelSpec &spec = task.spec;
  const AttemptRecord *last = tree.last();
  bool right = last && last->right();
  const AttemptRecord *shown = right && tree.best() ? tree.best() : last;
  PromptValues values = describeRegion(task, options);
  values["history"] = describeHistory(tree, options.historyTokens);
  values["previous_plan"] =
      shown && shown->plan ? toJson(*shown->plan) : "none\n";
  values["evidence"] = shown ? describeEvidence(shown->evaluation) : "";
  auto common = prompts.fill("common.md", values);
  if (!common)
    return std::unexpected(common.error());
  values["common"] = *common;
  auto system = prompts.fill("system.md", values);
  if (!system)
    return std::unexpected(system.error());
  auto user = prompts.fill(!last   ? "generate.md"
                           : right ? "optimize.md"
                                   : "repair.md",
                           values);
  if (!user)
    return std::unexpected(user.error());

  Conversation conversation;
  conversation.id = spec.specHash + "-" + std::to_string(attempt);
  conversation.attempt = attempt;
  conversation.role = "generator";
  conversation.messages = {{"system", *system}, {"user", *user}};
  conversation.messages.front().endsStablePrefix = true;
  conversation.spec = &spec;
  for (const AttemptRecord &record : tree.records())
    conversation.history.push_back({record.number,
                                    name(record.evaluation.outcome),
                                    record.evaluation.message});
  conversation.tools = {submitKernelTool()};
  return conversation;
}

} // namespace kclaw
