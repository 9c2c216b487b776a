//===- ChatRequest.cpp - Conversations as JSON ----------------------------===//
#include "Providers.h"
#include "Support/Json.h"

namespace kclaw {
namespace {

using json::Json;

Json writeMessages(const Conversation &conversation) {
  Json list = Json::array();
  for (const Message &message : conversation.messages)
    list.push_back({{"role", message.role}, {"content", message.content}});
  return list;
}

Json writeTools(const Conversation &conversation, bool wrapped) {
  Json list = Json::array();
  for (const Tool &tool : conversation.tools) {
    Json json{{"name", tool.name}, {"description", tool.description}};
    Json parameters = Json::parse(tool.parameters, nullptr, false);
    json["parameters"] =
        parameters.is_discarded() ? Json::object() : parameters;
    if (wrapped)
      json = {{"type", "function"}, {"function", json}};
    list.push_back(json);
  }
  return list;
}

} // namespace

std::string renderChatRequest(const Conversation &conversation,
                              const std::string &model,
                              const std::string &limitName) {
  Json body{{"model", model}, {"messages", writeMessages(conversation)}};
  body[limitName] = conversation.maxTokens;
  if (!conversation.tools.empty())
    body["tools"] = writeTools(conversation, /*wrapped=*/true);
  return json::dump(body);
}

std::string renderExchangeRequest(const Conversation &conversation) {
  Json body{{"version", 1},
            {"id", conversation.id},
            {"attempt", conversation.attempt},
            {"maxTokens", conversation.maxTokens},
            {"messages", writeMessages(conversation)},
            {"tools", writeTools(conversation, /*wrapped=*/false)},
            {"replyFile", "reply-" + conversation.id + ".json"}};
  return json::dump(body, 2) + "\n";
}

Usage tokenBound(const Conversation &conversation) {
  size_t bytes = 0;
  for (const Message &message : conversation.messages)
    bytes += message.content.size() + 16;
  for (const Tool &tool : conversation.tools)
    bytes += tool.description.size() + tool.parameters.size();
  Usage bound;
  bound.inputTokens = int64_t(bytes / 3 + 1);
  bound.outputTokens = conversation.maxTokens;
  return bound;
}

double priceOf(const Usage &usage, const ProviderOptions &options) {
  return (double(usage.inputTokens) *
              options.inputDollarsPerMillion.value_or(0) +
          double(usage.outputTokens) *
              options.outputDollarsPerMillion.value_or(0)) /
         1e6;
}

} // namespace kclaw
