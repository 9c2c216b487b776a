//===- ChatFormat.cpp - OpenAI's chat/completions -------------------------===//
#include "Formats.h"

#include <algorithm>

namespace kclaw {
namespace {

Json writeCalls(const std::vector<ToolCall> &calls) {
  Json list = Json::array();
  for (const ToolCall &call : calls)
    list.push_back(
        {{"id", call.id},
         {"type", "function"},
         {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  return list;
}

Json writeMessages(const Conversation &conversation) {
  Json list = Json::array();
  for (const Message &message : conversation.messages) {
    Json json{{"role", message.role}, {"content", message.content}};
    if (!message.toolCalls.empty()) {
      json["tool_calls"] = writeCalls(message.toolCalls);
      if (message.content.empty())
        json["content"] = nullptr;
    }
    if (message.role == "tool")
      json["tool_call_id"] = message.toolCallId;
    list.push_back(json);
  }
  return list;
}

Json render(const Conversation &conversation, const RequestStyle &style) {
  Json body{{"model", style.model}, {"messages", writeMessages(conversation)}};
  body[wanted(style, Feature::OldLimit) ? "max_tokens"
                                        : "max_completion_tokens"] =
      conversation.maxTokens;
  for (const Tool &tool : conversation.tools)
    body["tools"].push_back(
        {{"type", "function"}, {"function", renderTool(tool, "parameters")}});
  if (!style.reasoningEffort.empty() && wanted(style, Feature::Effort))
    body["reasoning_effort"] = style.reasoningEffort;
  if (!conversation.responseSchema.empty() && wanted(style, Feature::Schema))
    body["response_format"] = {{"type", "json_schema"},
                               {"json_schema", namedSchema(conversation)}};
  if (style.stream)
    body["stream"] = true;
  if (style.stream && wanted(style, Feature::StreamUsage))
    body["stream_options"] = {{"include_usage", true}};
  return body;
}

size_t foldToolCalls(Json &message, const Json &deltas) {
  size_t bytes = 0;
  for (size_t i = 0; i < deltas.size() && deltas.is_array(); ++i) {
    const Json &delta = deltas[i];
    size_t index = size_t(countOf(member(delta, "index")));
    Json &calls = message["tool_calls"];
    // An index far off is damage, not a call.
    if (index > calls.size())
      continue;
    if (index == calls.size())
      calls.push_back({{"id", ""}, {"function", {{"name", ""}}}});
    Json &call = calls[index];
    const Json &function = member(delta, "function");
    appendText(call, "id", member(delta, "id"));
    appendText(call["function"], "name", member(function, "name"));
    bytes += appendText(call["function"], "arguments",
                        member(function, "arguments"));
  }
  return bytes;
}

void fold(Folded &so, const Json &event) {
  for (const char *name : {"error", "usage", "model"})
    if (!member(event, name).is_null())
      so.document[name] = member(event, name);
  const Json &choice = element(member(event, "choices"), 0);
  if (choice.is_null())
    return;
  Json &target = so.document["choices"][0];
  Json &message = target["message"];
  if (message.is_null())
    message = Json::object();
  const Json &delta = member(choice, "delta");
  so.answerBytes += appendText(message, "content", member(delta, "content"));
  so.answerBytes += appendText(message, "refusal", member(delta, "refusal"));
  // A draft: counted, and never the answer.
  so.answerBytes += contentText(member(delta, "reasoning_content")).size();
  so.answerBytes += foldToolCalls(message, member(delta, "tool_calls"));
  if (member(choice, "finish_reason").is_null())
    return;
  target["finish_reason"] = member(choice, "finish_reason");
  so.ended = true;
}

std::vector<ToolCall> readCalls(const Json &calls) {
  std::vector<ToolCall> result;
  for (size_t i = 0; calls.is_array() && i < calls.size(); ++i) {
    const Json &function = member(calls[i], "function");
    // Some servers send the object itself instead of its text.
    result.push_back({stringOf(member(calls[i], "id")),
                      stringOf(member(function, "name")),
                      textOf(member(function, "arguments"))});
  }
  return result;
}

std::optional<Reply> read(const Json &document) {
  const Json &choice = element(member(document, "choices"), 0);
  if (choice.is_null())
    return std::nullopt;
  const Json &message = member(choice, "message");
  Reply reply;
  // reasoning_content is a draft and never the answer.
  reply.text = contentText(member(message, "content"));
  reply.toolCalls = readCalls(member(message, "tool_calls"));
  reply.finishReason = stringOf(member(choice, "finish_reason"));
  reply.refusal = stringOf(member(message, "refusal"));
  if (reply.finishReason.empty())
    reply.finishReason = "length"; // nobody said that it is complete
  if (reply.finishReason == "content_filter" && reply.refusal.empty())
    reply.refusal = reply.text.empty() ? "content filter" : reply.text;
  return reply;
}

Usage usage(const Json &document) {
  const Json &usage = member(document, "usage");
  Usage result;
  result.inputTokens = countOf(member(usage, "prompt_tokens"));
  result.outputTokens = countOf(member(usage, "completion_tokens"));
  result.cachedInputTokens = std::min(
      result.inputTokens,
      countOf(member(member(usage, "prompt_tokens_details"), "cached_tokens")));
  const Json &cost = member(usage, "cost");
  if (cost.is_number() && cost.get<double>() > 0)
    result.dollars = cost.get<double>();
  return result;
}

} // namespace

const Format chatFormat = {render, fold, read, usage};

} // namespace kclaw
