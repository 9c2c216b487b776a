//===- ExchangeRequest.cpp - Questions for programs and for people --------===//
#include "JsonParts.h"
#include "Providers.h"

#include <algorithm>

namespace kclaw {
namespace {

Json writeMessage(const Message &message) {
  Json json{{"role", message.role}, {"content", message.content}};
  for (const ToolCall &call : message.toolCalls)
    json["toolCalls"].push_back(
        {{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  if (!message.toolCallId.empty())
    json["toolCallId"] = message.toolCallId;
  return json;
}

/// A fence that is longer than any in `text`.
std::string fenceFor(const std::string &text) {
  size_t longest = 2, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string fenced(const std::string &text, const char *language = "") {
  std::string fence = fenceFor(text);
  return fence + language + "\n" + text + (text.ends_with('\n') ? "" : "\n") +
         fence + "\n";
}

std::string describeMessage(const Message &message) {
  std::string text = "\n# " + message.role;
  if (!message.toolCallId.empty())
    text += " answers call " + message.toolCallId;
  text += "\n\n";
  if (message.role == "tool")
    text += fenced(message.content);
  else if (!message.content.empty())
    text += message.content + (message.content.ends_with('\n') ? "" : "\n");
  for (const ToolCall &call : message.toolCalls)
    text += "\nCall " + call.id + " of `" + call.name + "`:\n\n" +
            fenced(call.arguments, "json");
  return text;
}

std::string howToAnswer(const Conversation &conversation) {
  std::string file = "reply-" + conversation.id;
  std::string text =
      "\n# How to answer\n\nWrite `" + file +
      ".txt` (the answer as it is) or `" + file +
      ".json` beside this file, under another name first and renamed when it "
      "is complete. The JSON form:\n\n";
  Json reply{{"text", "..."}};
  if (!conversation.tools.empty()) {
    Json call{{"name", conversation.tools.front().name},
              {"arguments", Json::object()}};
    reply["toolCalls"].push_back(call);
  }
  reply["usage"] = {{"inputTokens", 0}, {"outputTokens", 0}};
  return text + fenced(json::dump(reply, 2), "json");
}

} // namespace

std::string renderExchangeRequest(const Conversation &conversation,
                                  const std::string &model) {
  Json body{{"version", 1},
            {"id", conversation.id},
            {"attempt", conversation.attempt}};
  if (!conversation.role.empty())
    body["role"] = conversation.role;
  if (!model.empty())
    body["model"] = model;
  body["maxTokens"] = conversation.maxTokens;
  body["messages"] = Json::array();
  for (const Message &message : conversation.messages)
    body["messages"].push_back(writeMessage(message));
  body["tools"] = Json::array();
  for (const Tool &tool : conversation.tools)
    body["tools"].push_back({{"name", tool.name},
                             {"description", tool.description},
                             {"parameters", schemaOf(tool.parameters)}});
  if (!conversation.responseSchema.empty())
    body["responseSchema"] = schemaOf(conversation.responseSchema);
  if (!conversation.responseSchemaName.empty())
    body["responseSchemaName"] = conversation.responseSchemaName;
  body["replyFile"] = "reply-" + conversation.id + ".json";
  return json::dump(body, 2) + "\n";
}

std::string renderQuestion(const Conversation &conversation,
                           const std::string &model) {
  std::string text = "Question " + conversation.id;
  if (!conversation.role.empty())
    text += ", to the " + conversation.role;
  if (!model.empty())
    text += ", model " + model;
  text += ", at most " + std::to_string(conversation.maxTokens) +
          " tokens of answer\n";
  for (const Message &message : conversation.messages)
    text += describeMessage(message);
  if (!conversation.tools.empty())
    text += "\n# Tools that may be called\n";
  for (const Tool &tool : conversation.tools)
    text += "\n`" + tool.name + "`: " + tool.description + "\n\n" +
            fenced(json::dump(schemaOf(tool.parameters), 2), "json");
  if (!conversation.responseSchema.empty())
    text +=
        "\n# The answer's text is JSON that follows this schema\n\n" +
        fenced(json::dump(schemaOf(conversation.responseSchema), 2), "json");
  return text + howToAnswer(conversation);
}

Usage tokenBound(const Conversation &conversation) {
  constexpr size_t bytesPerToken = 2, bytesPerPart = 16;
  size_t bytes = conversation.responseSchema.size();
  for (const Message &message : conversation.messages) {
    bytes += message.content.size() + bytesPerPart;
    for (const ToolCall &call : message.toolCalls)
      bytes += call.name.size() + call.arguments.size() + bytesPerPart;
  }
  for (const Tool &tool : conversation.tools)
    bytes += tool.name.size() + tool.description.size() +
             tool.parameters.size() + bytesPerPart;
  Usage bound;
  bound.inputTokens = int64_t(bytes / bytesPerToken + 1);
  bound.outputTokens = conversation.maxTokens;
  return bound;
}

} // namespace kclaw
