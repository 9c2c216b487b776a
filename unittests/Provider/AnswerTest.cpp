// What an endpoint may answer, and what it means (LL-07, LL-08, LL-09).
#include "kernelclaw/Provider/WireFormat.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

std::expected<Reply, CallFailure>
parse(const std::string &body, int status = 200,
      std::map<std::string, std::string> headers = {},
      WireFormat format = WireFormat::Chat) {
  return parseAnswer(format, {status, std::move(headers), body}, 0);
}

Reply replyTo(const std::string &body) {
  auto reply = parse(body);
  EXPECT_TRUE(reply) << reply.error().error.message;
  return reply.value_or(Reply());
}

CallFailure failureOf(const std::string &body, int status = 200,
                      std::map<std::string, std::string> headers = {}) {
  auto reply = parse(body, status, std::move(headers));
  EXPECT_FALSE(reply) << body;
  return reply ? CallFailure() : reply.error();
}

/// One choice with this message and finish_reason.
std::string choice(const std::string &message, const std::string &finish) {
  return R"({"choices": [{"message": )" + message + R"(, "finish_reason": ")" +
         finish + R"("}], "usage": {"prompt_tokens": 11,
         "completion_tokens": 7}})";
}

TEST(Answer, Plain) {
  Reply reply = replyTo(choice(R"({"content": "hello"})", "stop"));
  EXPECT_EQ(reply.text, "hello");
  EXPECT_EQ(reply.finishReason, "stop");
  EXPECT_EQ(reply.usage.inputTokens, 11);
  EXPECT_EQ(reply.usage.outputTokens, 7);
}

TEST(Answer, ToolCalls) {
  Reply reply = replyTo(choice(
      R"({"content": null, "tool_calls": [
          {"id": "a", "function": {"name": "f", "arguments": "{\"x\": 1}"}},
          {"id": "b", "function": {"name": "g", "arguments": {"y": 2}}}]})",
      "tool_calls"));
  ASSERT_EQ(reply.toolCalls.size(), 2u);
  EXPECT_EQ(reply.toolCalls[0].arguments, "{\"x\": 1}");
  EXPECT_EQ(reply.toolCalls[1].arguments, "{\"y\":2}");
}

TEST(Answer, ReasoningIsNotTheAnswer) { // LL-07 (a)
  Reply reply = replyTo(
      choice(R"({"content": null, "reasoning_content": "```cuda\ndraft\n```"})",
             "length"));
  EXPECT_EQ(reply.text, "");
  EXPECT_EQ(reply.finishReason, "length");
  EXPECT_EQ(reply.usage.outputTokens, 7);
}

TEST(Answer, RefusalsAreTold) { // LL-07 (b), (c)
  Reply refusal =
      replyTo(choice(R"({"content": null, "refusal": "I will not"})", "stop"));
  EXPECT_EQ(refusal.refusal, "I will not");
  EXPECT_EQ(refusal.text, "");
  Reply filtered = replyTo(choice(R"({"content": ""})", "content_filter"));
  EXPECT_EQ(filtered.refusal, "content filter");
  EXPECT_EQ(filtered.usage.inputTokens, 11);
}

TEST(Answer, PartsAreJoined) { // LL-07 (d)
  Reply reply = replyTo(choice(
      R"({"content": [{"type": "text", "text": "one "},
                      {"type": "image"}, {"type": "text", "text": "two"}]})",
      "stop"));
  EXPECT_EQ(reply.text, "one two");
}

TEST(Answer, NoChoicesIsAFailure) { // LL-07 (f)
  CallFailure failure =
      failureOf(R"({"choices": [], "usage": {"prompt_tokens": 5}})");
  EXPECT_TRUE(failure.retry);
  EXPECT_EQ(failure.usage.inputTokens, 5);
  EXPECT_TRUE(failure.error.message.starts_with(
      "the endpoint answered without any choice: "));
}

TEST(Answer, WhatWaitingCures) { // LL-08
  struct Case {
    int status;
    const char *body;
    bool retry;
  };
  const Case cases[] = {
      {429, R"({"error": {"message": "slow down"}})", true},
      {429, R"({"error": {"message": "x", "code": "insufficient_quota"}})",
       false},
      {429, R"({"error": {"message": "x", "type": "insufficient_quota"}})",
       false},
      {401, R"({"error": {"message": "bad key"}})", false},
      {402, R"({"error": "pay"})", false},
      {404, R"({"error": {"message": "model not found"}})", false},
      {400, R"({"error": {"message": "too long"}})", false},
      {500, "<!DOCTYPE html><h1>oops</h1>", true},
      {503, "", true},
      {301, "", false},
  };
  for (const Case &row : cases)
    EXPECT_EQ(failureOf(row.body, row.status).retry, row.retry)
        << row.status << " " << row.body;
}

TEST(Answer, LongWaitsEndTheCall) { // LL-08
  EXPECT_EQ(failureOf("", 429, {{"retry-after", "3"}}).waitSeconds, 3);
  CallFailure failure = failureOf("", 429, {{"retry-after", "86400"}});
  EXPECT_FALSE(failure.retry);
  EXPECT_NE(failure.error.message.find("asks to wait 86400 s, more than the "
                                       "120 s"),
            std::string::npos);
}

TEST(Answer, ErrorTextsAreForPeople) {
  EXPECT_EQ(failureOf("<html>", 500).error.message,
            "the endpoint answered 500: an HTML page instead of JSON");
  EXPECT_EQ(failureOf(R"({"error": {"message": "no such model"}})", 404)
                .error.message,
            "the endpoint answered 404: no such model; check base-url and "
            "model");
}

TEST(Answer, ErrorsUnderStatus200) { // LL-09 (a), (b), (d)
  CallFailure quota =
      failureOf(R"({"error": {"message": "quota exceeded", "code": 429}})");
  EXPECT_TRUE(quota.retry);
  EXPECT_EQ(quota.error.message, "the endpoint answered 429: quota exceeded");
  CallFailure key = failureOf(R"({"error": {"message": "no", "code": "401"}})");
  EXPECT_FALSE(key.retry);
  CallFailure chunk = failureOf("data: {\"choices\": [], \"error\": "
                                "{\"code\": 502, \"message\": \"bad "
                                "gateway\"}}\n\ndata: [DONE]\n\n");
  EXPECT_TRUE(chunk.retry);
  EXPECT_EQ(chunk.error.message, "the endpoint answered 502: bad gateway");
  EXPECT_EQ(failureOf("").error.message,
            "the endpoint answered 200: empty body");
  EXPECT_TRUE(failureOf(" \n").retry);
  EXPECT_EQ(failureOf("<html>").error.message,
            "the endpoint answered 200: an HTML page instead of JSON");
}

TEST(Answer, EventStreamLabelOnPlainJson) { // LL-09 (c)
  auto reply = parse(choice(R"({"content": "hello"})", "stop"), 200,
                     {{"content-type", "text/event-stream"}});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "hello");
}

TEST(Answer, WholeEventStreamInOneRead) { // LL-09 (e)
  Reply reply = replyTo(
      ": keep-alive\r\n\r\n"
      "data: {\"choices\": [{\"delta\": {\"role\": \"assistant\", "
      "\"content\": \"he\"}}]}\r\n\r\n"
      "data: {\"choices\": [{\"delta\": {\"content\": \"llo\"}}]}\r\n\r\n"
      "data: {\"choices\": [{\"delta\": {\"tool_calls\": [{\"index\": 0, "
      "\"id\": \"a\", \"function\": {\"name\": \"f\", \"arguments\": "
      "\"{\\\"x\\\"\"}}]}}]}\n\n"
      "data: {\"choices\": [{\"delta\": {\"tool_calls\": [{\"index\": 0, "
      "\"function\": {\"arguments\": \": 1}\"}}]}, \"finish_reason\": "
      "\"tool_calls\"}]}\n\n"
      "data: {\"choices\": [], \"usage\": {\"completion_tokens\": 9}}\n\n"
      "data: [DONE]\n\n");
  EXPECT_EQ(reply.text, "hello");
  EXPECT_EQ(reply.finishReason, "tool_calls");
  ASSERT_EQ(reply.toolCalls.size(), 1u);
  EXPECT_EQ(reply.toolCalls[0].name, "f");
  EXPECT_EQ(reply.toolCalls[0].arguments, "{\"x\": 1}");
  EXPECT_EQ(reply.usage.outputTokens, 9);
}

TEST(Answer, CutStreamIsAskedForAgain) {
  CallFailure failure = failureOf(
      "data: {\"choices\": [{\"delta\": {\"content\": \"half\"}}]}\n\n");
  EXPECT_TRUE(failure.retry);
  EXPECT_EQ(failure.error.message,
            "the stream ended before the answer was complete");
}

TEST(Answer, NoFinishReasonIsTruncated) { // LL-04
  Reply reply =
      replyTo("data: {\"choices\": [{\"delta\": {\"content\": \"half\"}}]}\n\n"
              "data: [DONE]\n\n");
  EXPECT_EQ(reply.finishReason, "length");
}

TEST(Answer, CachedTokensInEachFormat) {
  struct Row {
    WireFormat format;
    const char *body;
    int64_t input, cached, written;
  };
  const Row rows[] = {
      {WireFormat::Chat,
       R"({"choices": [{"message": {"content": "a"}}], "usage":
           {"prompt_tokens": 10, "completion_tokens": 3,
            "prompt_tokens_details": {"cached_tokens": 4}}})",
       10, 4, 0},
      {WireFormat::Chat, // more cached than there are: not believed
       R"({"choices": [{"message": {"content": "a"}}], "usage":
           {"prompt_tokens": 10, "completion_tokens": 3,
            "prompt_tokens_details": {"cached_tokens": 400}}})",
       10, 10, 0},
      {WireFormat::Responses,
       R"({"output": [{"type": "message", "content": [{"text": "a"}]}], "usage":
           {"input_tokens": 10, "output_tokens": 3,
            "input_tokens_details": {"cached_tokens": 4}}})",
       10, 4, 0},
      {WireFormat::Messages,
       R"({"content": [{"type": "text", "text": "a"}], "usage":
           {"input_tokens": 3, "output_tokens": 3, "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 5}})",
       12, 4, 5}};
  for (const Row &row : rows) {
    auto reply = parse(row.body, 200, {}, row.format);
    ASSERT_TRUE(reply) << reply.error().error.message;
    EXPECT_EQ(reply->text, "a");
    EXPECT_EQ(reply->usage.inputTokens, row.input);
    EXPECT_EQ(reply->usage.outputTokens, 3);
    EXPECT_EQ(reply->usage.cachedInputTokens, row.cached);
    EXPECT_EQ(reply->usage.cacheWriteTokens, row.written);
  }
}

TEST(Answer, StopReasonsOfMessages) { // LL-07 (e)
  const std::pair<const char *, const char *> rows[] = {
      {"end_turn", "stop"},         {"stop_sequence", "stop"},
      {"max_tokens", "length"},     {"tool_use", "tool_calls"},
      {"pause_turn", "stop"},       {"model_context_window_exceeded", "length"},
      {"refusal", "content_filter"}};
  for (auto [theirs, ours] : rows) {
    auto reply = parse(std::string(R"({"content": [], "stop_reason": ")") +
                           theirs + "\"}",
                       200, {}, WireFormat::Messages);
    ASSERT_TRUE(reply) << theirs;
    EXPECT_EQ(reply->finishReason, ours) << theirs;
    EXPECT_EQ(!reply->refusal.empty(), std::string(theirs) == "refusal");
  }
}

TEST(Answer, CallsWithoutAnIdGetOne) {
  Reply reply = replyTo(choice(
      R"({"tool_calls": [{"function": {"name": "f", "arguments": "{}"}},
                         {"function": {"name": "f", "arguments": "{}"}}]})",
      "tool_calls"));
  ASSERT_EQ(reply.toolCalls.size(), 2u);
  EXPECT_EQ(reply.toolCalls[0].id, "call_1");
  EXPECT_EQ(reply.toolCalls[1].id, "call_2");
}

TEST(Answer, TooLong) {
  CallFailure failure = failureOf(std::string(maxAnswerBytes + 1, 'x'));
  EXPECT_FALSE(failure.retry);
  EXPECT_EQ(failure.error.message, "the answer is longer than 8 MiB");
}

TEST(Answer, WrongTypesDoNotThrow) {
  for (const char *body :
       {R"({"choices": {}})", R"({"choices": [3]})", R"([])", R"(3)",
        R"({"choices": [{"message": {"content": {"a": 1}}}]})",
        R"({"choices": [{"message": {"tool_calls": [1, {}]}}]})",
        R"({"error": 7})", R"({"usage": "x", "choices": null})",
        "data: {\"choices\": [{\"delta\": {\"tool_calls\": [{\"index\": "
        "99999999}]}}]}",
        "data: x", "{\"choices\": [", "\xff\xfe",
        R"({"output": [1, {"type": "message", "content": 5}], "error": []})",
        R"({"content": [1, {"type": "tool_use", "input": 5}]})",
        R"(data: {"type": "content_block_delta", "index": 9, "delta": 1})",
        R"(data: {"type": "message_start", "message": 4})",
        R"(data: {"type": "response.completed", "response": 4})"})
    for (WireFormat format :
         {WireFormat::Chat, WireFormat::Responses, WireFormat::Messages})
      (void)parse(body, 200, {}, format);
}

} // namespace
