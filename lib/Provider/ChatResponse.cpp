//===- ChatResponse.cpp - Read an answer of chat/completions --------------===//
//
// An event stream is first folded into the document that a plain answer would
// have been; from there on there is one reader.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Provider/ChatResponse.h"

#include "ErrorBody.h"

#include <algorithm>
#include <sstream>

namespace kclaw {
namespace {

using json::Json;

/// A member, or null; `object` may be anything.
const Json &member(const Json &object, const char *name) {
  static const Json null;
  if (!object.is_object())
    return null;
  auto it = object.find(name);
  return it == object.end() ? null : *it;
}

std::string stringOf(const Json &value) {
  return value.is_string() ? value.get<std::string>() : "";
}

int64_t countOf(const Json &value) {
  return value.is_number() ? int64_t(value.get<double>()) : 0;
}

/// Text, or a list of parts of which those with text are joined.
std::string contentText(const Json &content) {
  if (!content.is_array())
    return stringOf(content);
  std::string text;
  for (const Json &part : content)
    text += part.is_string() ? part.get<std::string>()
                             : stringOf(member(part, "text"));
  return text;
}

std::vector<ToolCall> toolCalls(const Json &calls) {
  std::vector<ToolCall> result;
  if (!calls.is_array())
    return result;
  for (const Json &call : calls) {
    const Json &function = member(call, "function");
    const Json &arguments = member(function, "arguments");
    // Some servers send the object itself instead of its text.
    std::string text = arguments.is_string() ? arguments.get<std::string>()
                                             : json::dump(arguments);
    result.push_back({stringOf(member(call, "id")),
                      stringOf(member(function, "name")), text});
  }
  return result;
}

Usage usageOf(const Json &document) {
  const Json &usage = member(document, "usage");
  Usage result;
  result.inputTokens = countOf(member(usage, "prompt_tokens"));
  result.outputTokens = countOf(member(usage, "completion_tokens"));
  if (member(usage, "cost").is_number())
    result.dollars = member(usage, "cost").get<double>();
  return result;
}

void appendText(Json &object, const char *name, const Json &piece) {
  std::string text = contentText(piece);
  if (!text.empty())
    object[name] = stringOf(member(object, name)) + text;
}

void foldToolCalls(Json &message, const Json &deltas) {
  if (!deltas.is_array())
    return;
  for (const Json &delta : deltas) {
    size_t index =
        size_t(std::max<int64_t>(0, countOf(member(delta, "index"))));
    Json &calls = message["tool_calls"];
    // An index far off is damage, not a call.
    if (index > calls.size())
      continue;
    if (index == calls.size())
      calls.push_back({{"id", ""}, {"function", {{"name", ""}}}});
    Json &call = calls[index];
    appendText(call, "id", member(delta, "id"));
    const Json &function = member(delta, "function");
    appendText(call["function"], "name", member(function, "name"));
    appendText(call["function"], "arguments", member(function, "arguments"));
  }
}

void foldChunk(Json &document, const Json &chunk) {
  if (!member(chunk, "error").is_null())
    document["error"] = member(chunk, "error");
  if (!member(chunk, "usage").is_null())
    document["usage"] = member(chunk, "usage");
  const Json &choices = member(chunk, "choices");
  if (!choices.is_array() || choices.empty())
    return;
  if (document["choices"].empty())
    document["choices"].push_back({{"message", Json::object()}});
  Json &choice = document["choices"][0];
  const Json &delta = member(choices[0], "delta");
  appendText(choice["message"], "content", member(delta, "content"));
  appendText(choice["message"], "refusal", member(delta, "refusal"));
  foldToolCalls(choice["message"], member(delta, "tool_calls"));
  if (!member(choices[0], "finish_reason").is_null())
    choice["finish_reason"] = member(choices[0], "finish_reason");
}

/// Server-sent events to one document; nullopt when a line is not JSON.
std::optional<Json> foldEvents(const std::string &body) {
  Json document{{"choices", Json::array()}};
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("data:"))
      continue;
    std::string data = line.substr(5);
    if (data.find("[DONE]") < 3)
      break;
    Json chunk = Json::parse(data, nullptr, /*allow_exceptions=*/false);
    if (chunk.is_discarded())
      return std::nullopt;
    foldChunk(document, chunk);
  }
  return document;
}

std::optional<Json> parseBody(const std::string &body) {
  size_t start = body.find_first_not_of(" \t\r\n");
  if (start == std::string::npos)
    return std::nullopt;
  std::string_view text = std::string_view(body).substr(start);
  if (text.starts_with("data:") || text.starts_with("event:") ||
      text.starts_with(":"))
    return foldEvents(body);
  Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded() || !document.is_object())
    return std::nullopt;
  return document;
}

Reply readReply(const Json &choice) {
  const Json &message = member(choice, "message");
  Reply reply;
  // reasoning_content is a draft and never the answer.
  reply.text = contentText(member(message, "content"));
  reply.toolCalls = toolCalls(member(message, "tool_calls"));
  reply.finishReason = stringOf(member(choice, "finish_reason"));
  reply.refusal = stringOf(member(message, "refusal"));
  if (reply.finishReason.empty())
    reply.finishReason = "length"; // a stream that was cut
  if (reply.finishReason == "content_filter" && reply.refusal.empty())
    reply.refusal = reply.text.empty() ? "content filter" : reply.text;
  return reply;
}

} // namespace

std::expected<Reply, ChatFailure>
parseChatResponse(const HttpResponse &response, int64_t now) {
  std::optional<Json> document = parseBody(response.body);
  Json error = document ? member(*document, "error") : Json();
  bool failed = !document || !error.is_null() || response.status >= 300 ||
                response.status < 200;
  Usage usage = document ? usageOf(*document) : Usage();
  const Json &choices = document ? member(*document, "choices") : error;
  bool empty = !choices.is_array() || choices.empty();
  if (!failed && !empty) {
    Reply reply = readReply(choices[0]);
    reply.usage = usage;
    return reply;
  }
  ChatFailure failure = classifyFailure(response, error, now);
  if (!failed)
    failure.error.message = "the endpoint answered without any choice: " +
                            describeBody(response.body);
  failure.usage = usage;
  return std::unexpected(std::move(failure));
}

} // namespace kclaw
