//===- Compaction.cpp - Long conversations made short ---------------------===//
#include "Compaction.h"

#include "Describe.h"

namespace kclaw {

int64_t conversationTokens(const Conversation &conversation) {
  int64_t tokens = 0;
  for (const Message &message : conversation.messages) {
    tokens += tokensOf(message.content);
    for (const ToolCall &call : message.toolCalls)
      tokens += tokensOf(call.name + call.arguments);
  }
  for (const Tool &tool : conversation.tools)
    tokens += tokensOf(tool.description + tool.parameters);
  return tokens;
}

void compact(Conversation &conversation,
             const std::map<size_t, std::string> &summaries) {
  constexpr size_t newest = 6; // messages that stay whole
  constexpr size_t maxArguments = 400;
  std::vector<Message> &messages = conversation.messages;
  size_t end = messages.size() > newest ? messages.size() - newest : 0;
  for (size_t i = 0; i < end; ++i) {
    Message &message = messages[i];
    for (ToolCall &call : message.toolCalls)
      if (call.arguments.size() > maxArguments)
        call.arguments = "{\"leftOut\": \"" +
                         std::to_string(call.arguments.size()) +
                         " bytes of arguments\"}";
    auto summary = summaries.find(i);
    if (summary != summaries.end() &&
        message.content.size() > summary->second.size() + 80)
      message.content = summary->second +
                        "\n(shortened; call the tool again to see it whole)";
  }
}

} // namespace kclaw
