//===- Dialog.cpp - The questions of one attempt --------------------------===//
#include "Dialog.h"

#include "Describe.h"
#include "Fences.h"
#include "JsonRepair.h"
#include "Schema.h"

namespace kclaw {

using json::Json;

Expected<Conversation> Dialog::start(const std::string &role,
                                     const std::string &promptFile,
                                     const PromptValues &values) const {
  PromptValues fixed = describeRegion(task, run.options);
  fixed["hardware"] =
      describeHardware(run.knowledge ? run.knowledge->hardware : nullptr);
  auto common = run.prompts.fill("common.md", fixed);
  if (!common)
    return std::unexpected(common.error());
  fixed["common"] = *common;
  Conversation conversation;
  conversation.attempt = attempt;
  conversation.role = role;
  conversation.spec = &task.spec;
  conversation.sweepsTunables = run.evaluator.sweepsTunables();
  // The same for all roles and attempts, so that providers cache them.
  for (const auto &[speaker, file] :
       {std::pair("system", "rules.md"), std::pair("user", "region.md")}) {
    auto text = run.prompts.fill(file, fixed);
    if (!text)
      return std::unexpected(text.error());
    conversation.messages.push_back({speaker, *text});
    conversation.messages.back().endsStablePrefix = true;
  }
  PromptValues all = fixed;
  all.insert(values.begin(), values.end());
  auto text = run.prompts.fill(promptFile, all);
  if (!text)
    return std::unexpected(text.error());
  conversation.messages.push_back({"user", *text});
  return conversation;
}

Expected<Reply> Dialog::ask(Conversation &conversation) {
  ++calls;
  conversation.id = task.spec.specHash + "-" + std::to_string(attempt);
  if (calls > 1)
    conversation.id += "-" + std::to_string(calls);
  auto reply =
      kclaw::ask(run, task.spec.specHash, attempt, folder, calls, conversation);
  if (reply)
    used += reply->usage;
  return reply;
}

void askAgain(Conversation &conversation, const Reply &reply, bool cutOff,
              const std::string &why) {
  if (cutOff) {
    conversation.maxTokens *= 2;
    conversation.messages.push_back(
        {"user", "Your last answer was cut off by the length limit. Answer "
                 "again from the start, and more briefly."});
    return;
  }
  std::string said = reply.text;
  for (const ToolCall &call : reply.toolCalls)
    said += "\n" + call.name + "(" + call.arguments + ")";
  conversation.messages.push_back(
      {"assistant", said.empty() ? "(an empty answer)" : said});
  conversation.messages.push_back(
      {"user", "That could not be used: " + why +
                   "\nAnswer again, complete, in the form asked for."});
}

Answer<Json> readJson(const Reply &reply, const std::string &schema) {
  std::vector<Fence> fences = findFences(reply.text);
  RepairedJson found = repairJsonObject(reply.text);
  for (auto fence = fences.rbegin();
       found.kind != RepairedJson::Kind::Object && fence != fences.rend();
       ++fence)
    if (fence->closed && !isCudaFence(*fence))
      found = repairJsonObject(fence->content);
  if (found.kind != RepairedJson::Kind::Object)
    return std::unexpected(
        Unusable{"reply", "no JSON object: " + found.reason});
  std::string violation =
      schemaViolation(found.object, Json::parse(schema, nullptr, false));
  if (!violation.empty())
    return std::unexpected(Unusable{"schema", violation});
  return found.object;
}

} // namespace kclaw
