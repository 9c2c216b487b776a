//===- MessagesFormat.cpp - Anthropic's messages --------------------------===//
//
// Messages are lists of blocks; what follows each other with one role is one
// message (results of tools are the user's). Empty blocks are refused there
// and left out here. A cache mark stands on the last block of a message that
// ends a stable prefix; the endpoint takes four at most.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"

#include <algorithm>

namespace kclaw {
namespace {

constexpr size_t maxCacheMarks = 4;

/// The arguments as the object that they must be here.
Json inputOf(const ToolCall &call) {
  if (auto object = parseObject(call.arguments))
    return *object;
  return call.arguments.empty() ? Json::object()
                                : Json{{"unreadable", call.arguments}};
}

Json blocksOf(const Message &message) {
  Json blocks = Json::array();
  if (message.role == "tool") {
    Json block{{"type", "tool_result"}, {"tool_use_id", message.toolCallId}};
    if (!message.content.empty())
      block["content"] = message.content;
    blocks.push_back(block);
  } else if (message.content.find_first_not_of(" \t\r\n") !=
             std::string::npos) {
    blocks.push_back({{"type", "text"}, {"text", message.content}});
  }
  for (const ToolCall &call : message.toolCalls)
    blocks.push_back({{"type", "tool_use"},
                      {"id", call.id},
                      {"name", call.name},
                      {"input", inputOf(call)}});
  return blocks;
}

/// The messages whose marks are kept: the first, which the most calls share,
/// and the last ones.
std::vector<size_t> markedMessages(const Conversation &conversation) {
  std::vector<size_t> marked;
  for (size_t i = 0; i < conversation.messages.size(); ++i)
    if (conversation.messages[i].endsStablePrefix)
      marked.push_back(i);
  while (marked.size() > maxCacheMarks)
    marked.erase(marked.begin() + 1);
  return marked;
}

void writeMessages(const Conversation &conversation, bool marks, Json &body) {
  std::vector<size_t> marked = markedMessages(conversation);
  Json list = Json::array();
  for (size_t i = 0; i < conversation.messages.size(); ++i) {
    const Message &message = conversation.messages[i];
    Json blocks = blocksOf(message);
    if (blocks.empty())
      continue;
    if (marks && std::ranges::find(marked, i) != marked.end())
      blocks.back()["cache_control"] = {{"type", "ephemeral"}};
    bool isSystem = message.role == "system";
    std::string role = message.role == "assistant" ? "assistant" : "user";
    if (!isSystem && (list.empty() || stringOf(list.back()["role"]) != role))
      list.push_back({{"role", role}, {"content", Json::array()}});
    Json &target = isSystem ? body["system"] : list.back()["content"];
    for (const Json &block : blocks)
      target.push_back(block);
  }
  body["messages"] = list;
}

Json render(const Conversation &conversation, const RequestStyle &style) {
  Json body{{"model", style.model}, {"max_tokens", conversation.maxTokens}};
  for (const Tool &tool : conversation.tools)
    body["tools"].push_back(renderTool(tool, "input_schema"));
  writeMessages(conversation, wanted(style, Feature::Cache), body);
  if (!style.reasoningEffort.empty() && wanted(style, Feature::Effort))
    body["output_config"]["effort"] = style.reasoningEffort;
  if (!conversation.responseSchema.empty() && wanted(style, Feature::Schema))
    body["output_config"]["format"] = {
        {"type", "json_schema"},
        {"schema", schemaOf(conversation.responseSchema)}};
  if (style.stream)
    body["stream"] = true;
  return body;
}

/// What the deltas of a block are appended to, by the delta's type.
struct DeltaRow {
  const char *type, *member, *target;
};
constexpr DeltaRow deltaRows[] = {{"text_delta", "text", "text"},
                                  {"input_json_delta", "partial_json", "json"},
                                  {"thinking_delta", "thinking", "thinking"}};

void foldBlock(Folded &so, const Json &event, const std::string &type) {
  size_t index = size_t(countOf(member(event, "index")));
  Json &blocks = so.document["content"];
  if (index > blocks.size())
    return;
  if (index == blocks.size())
    blocks.push_back(Json::object());
  if (type == "content_block_start") {
    const Json &block = member(event, "content_block");
    if (block.is_object())
      blocks[index] = block;
    return;
  }
  const Json &delta = member(event, "delta");
  for (const DeltaRow &row : deltaRows)
    if (member(delta, "type") == row.type)
      so.answerBytes +=
          appendText(blocks[index], row.target, member(delta, row.member));
}

void foldUsage(Json &document, const Json &usage) {
  if (!usage.is_object())
    return;
  for (const auto &[name, value] : usage.items()) // totals so far
    if (!value.is_null())
      document["usage"][name] = value;
}

void fold(Folded &so, const Json &event) {
  std::string type = stringOf(member(event, "type"));
  if (!member(event, "error").is_null())
    so.document["error"] = member(event, "error");
  if (type == "message_start") {
    const Json &message = member(event, "message");
    so.document["model"] = member(message, "model");
    so.document["content"] = Json::array();
    foldUsage(so.document, member(message, "usage"));
  }
  if (type.starts_with("content_block_"))
    foldBlock(so, event, type);
  if (type == "message_delta") {
    const Json &reason = member(member(event, "delta"), "stop_reason");
    if (!reason.is_null())
      so.document["stop_reason"] = reason;
    so.ended |= !reason.is_null();
    foldUsage(so.document, member(event, "usage"));
  }
  so.ended |= type == "message_stop";
}

struct StopRow {
  std::string_view here, ours;
};
constexpr StopRow stopRows[] = {
    {"end_turn", "stop"},         {"stop_sequence", "stop"},
    {"pause_turn", "stop"},       {"tool_use", "tool_calls"},
    {"max_tokens", "length"},     {"model_context_window_exceeded", "length"},
    {"refusal", "content_filter"}};

std::optional<Reply> read(const Json &document) {
  const Json &content = member(document, "content");
  std::string reason = stringOf(member(document, "stop_reason"));
  if (!content.is_array() || (content.empty() && reason.empty()))
    return std::nullopt;
  Reply reply;
  for (const Json &block : content) {
    if (member(block, "type") == "text")
      reply.text += stringOf(member(block, "text"));
    if (member(block, "type") != "tool_use")
      continue;
    const Json &streamed = member(block, "json");
    reply.toolCalls.push_back(
        {stringOf(member(block, "id")), stringOf(member(block, "name")),
         streamed.is_null() ? textOf(member(block, "input"))
                            : stringOf(streamed)});
  }
  reply.finishReason = reason.empty() ? "length" : "stop";
  for (const StopRow &row : stopRows)
    if (row.here == reason)
      reply.finishReason = row.ours;
  if (reason == "refusal")
    reply.refusal =
        reply.text.empty() ? "the model refused to answer" : reply.text;
  return reply;
}

Usage usage(const Json &document) {
  const Json &usage = member(document, "usage");
  Usage result;
  result.cachedInputTokens = countOf(member(usage, "cache_read_input_tokens"));
  result.cacheWriteTokens =
      countOf(member(usage, "cache_creation_input_tokens"));
  // What was read from or written to the cache is counted apart there.
  result.inputTokens = countOf(member(usage, "input_tokens")) +
                       result.cachedInputTokens + result.cacheWriteTokens;
  result.outputTokens = countOf(member(usage, "output_tokens"));
  return result;
}

} // namespace

const Format messagesFormat = {render, fold, read, usage};

} // namespace kclaw
