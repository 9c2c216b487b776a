//===- RecordedReply.cpp - Replies that are files -------------------------===//
#include "Providers.h"
#include "Support/Files.h"
#include "Support/Json.h"

namespace kclaw {
namespace {

using json::Cursor;

/// More is no count of tokens.
constexpr int64_t maxTokens = int64_t{1} << 50;

ToolCall readToolCall(const Cursor &at) {
  ToolCall call;
  call.id = at.find("id").string();
  call.name = at.at("name").string();
  Cursor arguments = at.at("arguments");
  bool isText = arguments.present() && arguments.get()->is_string();
  if (arguments.present())
    call.arguments = isText ? arguments.string() : json::dump(*arguments.get());
  return call;
}

Reply readReply(const Cursor &at) {
  at.only({"id", "text", "toolCalls", "finishReason", "refusal", "usage",
           "exhausted", "model"});
  Reply reply;
  reply.text = at.find("text").string();
  reply.toolCalls = at.find("toolCalls").list(readToolCall);
  reply.finishReason =
      at.find("finishReason")
          .string(reply.toolCalls.empty() ? "stop" : "tool_calls");
  reply.refusal = at.find("refusal").string();
  reply.exhausted = at.find("exhausted").boolean();
  reply.model = at.find("model").string();
  if (Cursor usage = at.find("usage"); usage.present()) {
    auto tokens = [&usage](const char *name) {
      return usage.find(name).integer(0, 0, maxTokens);
    };
    reply.usage.inputTokens = tokens("inputTokens");
    reply.usage.outputTokens = tokens("outputTokens");
    reply.usage.cachedInputTokens = tokens("cachedInputTokens");
    reply.usage.cacheWriteTokens = tokens("cacheWriteTokens");
    reply.usage.dollars = usage.find("dollars").number();
    reply.usage.seconds = usage.find("seconds").number();
  }
  return reply;
}

} // namespace

Expected<Reply> parseReply(const std::string &text) {
  return json::parseDocument(text, "reply", readReply);
}

std::string toJson(const Reply &reply) {
  json::Json calls = json::Json::array();
  for (const ToolCall &call : reply.toolCalls)
    calls.push_back(
        {{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  json::Json usage{{"inputTokens", reply.usage.inputTokens},
                   {"outputTokens", reply.usage.outputTokens},
                   {"dollars", json::number(reply.usage.dollars)},
                   {"seconds", json::number(reply.usage.seconds)},
                   {"cachedInputTokens", reply.usage.cachedInputTokens},
                   {"cacheWriteTokens", reply.usage.cacheWriteTokens}};
  json::Json document{{"text", reply.text},
                      {"toolCalls", calls},
                      {"finishReason", reply.finishReason},
                      {"refusal", reply.refusal},
                      {"usage", usage},
                      {"exhausted", reply.exhausted}};
  if (!reply.model.empty())
    document["model"] = reply.model;
  return json::dump(document, 2) + "\n";
}

Expected<std::optional<Reply>> readRecordedReply(const std::string &base) {
  if (fileExists(base + ".json")) {
    auto text = readFile(base + ".json");
    if (!text)
      return std::unexpected(text.error());
    auto reply = parseReply(*text);
    if (!reply)
      return std::unexpected(reply.error().context(base + ".json"));
    return *reply;
  }
  if (!fileExists(base + ".txt"))
    return std::nullopt;
  auto text = readFile(base + ".txt");
  if (!text)
    return std::unexpected(text.error());
  Reply reply;
  reply.text = *text;
  reply.finishReason = "stop";
  return reply;
}

} // namespace kclaw
