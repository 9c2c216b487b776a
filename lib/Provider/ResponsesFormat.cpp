//===- ResponsesFormat.cpp - OpenAI's responses ---------------------------===//
//
// The last event of a stream holds the whole document; until it comes, deltas
// are only counted. Nothing is stored at the endpoint: the whole conversation
// is sent each time.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"

#include <algorithm>

namespace kclaw {
namespace {

Json writeInput(const Conversation &conversation) {
  Json list = Json::array();
  for (const Message &message : conversation.messages) {
    if (message.role == "tool") {
      list.push_back({{"type", "function_call_output"},
                      {"call_id", message.toolCallId},
                      {"output", message.content}});
      continue;
    }
    if (!message.content.empty() || message.toolCalls.empty())
      list.push_back({{"role", message.role}, {"content", message.content}});
    for (const ToolCall &call : message.toolCalls)
      list.push_back({{"type", "function_call"},
                      {"call_id", call.id},
                      {"name", call.name},
                      {"arguments", call.arguments}});
  }
  return list;
}

Json render(const Conversation &conversation, const RequestStyle &style) {
  Json body{{"model", style.model},
            {"input", writeInput(conversation)},
            {"max_output_tokens", conversation.maxTokens},
            {"store", false}};
  for (const Tool &tool : conversation.tools) {
    Json json = renderTool(tool, "parameters");
    json["type"] = "function";
    json["strict"] = false;
    body["tools"].push_back(json);
  }
  if (!style.reasoningEffort.empty() && wanted(style, Feature::Effort))
    body["reasoning"] = {{"effort", style.reasoningEffort}};
  if (!conversation.responseSchema.empty() && wanted(style, Feature::Schema)) {
    Json format = namedSchema(conversation);
    format["type"] = "json_schema";
    body["text"] = {{"format", format}};
  }
  if (style.stream)
    body["stream"] = true;
  return body;
}

void fold(Folded &so, const Json &event) {
  std::string type = stringOf(member(event, "type"));
  if (type.ends_with(".delta"))
    so.answerBytes += contentText(member(event, "delta")).size();
  if (type == "error" || !member(event, "error").is_null()) {
    const Json &inner = member(event, "error");
    so.document["error"] = inner.is_null() ? event : inner;
  }
  if (type != "response.completed" && type != "response.incomplete" &&
      type != "response.failed")
    return;
  Json error = member(so.document, "error");
  so.document = member(event, "response");
  if (!error.is_null())
    so.document["error"] = error;
  so.ended = true;
}

void readItem(const Json &item, Reply &reply) {
  std::string type = stringOf(member(item, "type"));
  if (type == "function_call")
    reply.toolCalls.push_back({stringOf(member(item, "call_id")),
                               stringOf(member(item, "name")),
                               textOf(member(item, "arguments"))});
  if (type != "message")
    return;
  const Json &content = member(item, "content");
  reply.text += contentText(content);
  for (size_t i = 0; content.is_array() && i < content.size(); ++i)
    reply.refusal += stringOf(member(content[i], "refusal"));
}

std::string finishReason(const Json &document, const Reply &reply) {
  std::string status = stringOf(member(document, "status"));
  std::string reason =
      stringOf(member(member(document, "incomplete_details"), "reason"));
  if (reason == "content_filter")
    return reason;
  if (status == "incomplete" || status == "in_progress")
    return "length";
  return reply.toolCalls.empty() ? "stop" : "tool_calls";
}

std::optional<Reply> read(const Json &document) {
  const Json &output = member(document, "output");
  bool incomplete = member(document, "status") == "incomplete";
  if (!output.is_array() || (output.empty() && !incomplete))
    return std::nullopt;
  Reply reply;
  for (const Json &item : output)
    readItem(item, reply);
  reply.finishReason = finishReason(document, reply);
  if (reply.finishReason == "content_filter" && reply.refusal.empty())
    reply.refusal = reply.text.empty() ? "content filter" : reply.text;
  return reply;
}

Usage usage(const Json &document) {
  const Json &usage = member(document, "usage");
  Usage result;
  result.inputTokens = countOf(member(usage, "input_tokens"));
  result.outputTokens = countOf(member(usage, "output_tokens"));
  result.cachedInputTokens = std::min(
      result.inputTokens,
      countOf(member(member(usage, "input_tokens_details"), "cached_tokens")));
  return result;
}

} // namespace

const Format responsesFormat = {render, fold, read, usage};

} // namespace kclaw
