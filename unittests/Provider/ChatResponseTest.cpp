// What an endpoint may answer, and what it means (LL-07, LL-08, LL-09).
#include "kernelclaw/Provider/ChatResponse.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

std::expected<Reply, ChatFailure>
parse(const std::string &body, int status = 200,
      std::map<std::string, std::string> headers = {}) {
  return parseChatResponse({status, std::move(headers), body}, 0);
}

Reply replyTo(const std::string &body) {
  auto reply = parse(body);
  EXPECT_TRUE(reply) << reply.error().error.message;
  return reply.value_or(Reply());
}

ChatFailure failureOf(const std::string &body, int status = 200,
                      std::map<std::string, std::string> headers = {}) {
  auto reply = parse(body, status, std::move(headers));
  EXPECT_FALSE(reply) << body;
  return reply ? ChatFailure() : reply.error();
}

/// One choice with this message and finish_reason.
std::string choice(const std::string &message, const std::string &finish) {
  return R"({"choices": [{"message": )" + message + R"(, "finish_reason": ")" +
         finish + R"("}], "usage": {"prompt_tokens": 11,
         "completion_tokens": 7}})";
}

TEST(ChatResponse, Plain) {
  Reply reply = replyTo(choice(R"({"content": "hello"})", "stop"));
  EXPECT_EQ(reply.text, "hello");
  EXPECT_EQ(reply.finishReason, "stop");
  EXPECT_EQ(reply.usage.inputTokens, 11);
  EXPECT_EQ(reply.usage.outputTokens, 7);
}

TEST(ChatResponse, ToolCalls) {
  Reply reply = replyTo(choice(
      R"({"content": null, "tool_calls": [
          {"id": "a", "function": {"name": "f", "arguments": "{\"x\": 1}"}},
          {"id": "b", "function": {"name": "g", "arguments": {"y": 2}}}]})",
      "tool_calls"));
  ASSERT_EQ(reply.toolCalls.size(), 2u);
  EXPECT_EQ(reply.toolCalls[0].arguments, "{\"x\": 1}");
  EXPECT_EQ(reply.toolCalls[1].arguments, "{\"y\":2}");
}

TEST(ChatResponse, ReasoningIsNotTheAnswer) { // LL-07 (a)
  Reply reply = replyTo(
      choice(R"({"content": null, "reasoning_content": "```cuda\ndraft\n```"})",
             "length"));
  EXPECT_EQ(reply.text, "");
  EXPECT_EQ(reply.finishReason, "length");
  EXPECT_EQ(reply.usage.outputTokens, 7);
}

TEST(ChatResponse, RefusalsAreTold) { // LL-07 (b), (c)
  Reply refusal =
      replyTo(choice(R"({"content": null, "refusal": "I will not"})", "stop"));
  EXPECT_EQ(refusal.refusal, "I will not");
  EXPECT_EQ(refusal.text, "");
  Reply filtered = replyTo(choice(R"({"content": ""})", "content_filter"));
  EXPECT_EQ(filtered.refusal, "content filter");
  EXPECT_EQ(filtered.usage.inputTokens, 11);
}

TEST(ChatResponse, PartsAreJoined) { // LL-07 (d)
  Reply reply = replyTo(choice(
      R"({"content": [{"type": "text", "text": "one "},
                      {"type": "image"}, {"type": "text", "text": "two"}]})",
      "stop"));
  EXPECT_EQ(reply.text, "one two");
}

TEST(ChatResponse, NoChoicesIsAFailure) { // LL-07 (f)
  ChatFailure failure =
      failureOf(R"({"choices": [], "usage": {"prompt_tokens": 5}})");
  EXPECT_TRUE(failure.retry);
  EXPECT_EQ(failure.usage.inputTokens, 5);
  EXPECT_TRUE(failure.error.message.starts_with(
      "the endpoint answered without any choice: "));
}

TEST(ChatResponse, WhatWaitingCures) { // LL-08
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

TEST(ChatResponse, LongWaitsEndTheCall) { // LL-08
  EXPECT_EQ(failureOf("", 429, {{"retry-after", "3"}}).waitSeconds, 3);
  ChatFailure failure = failureOf("", 429, {{"retry-after", "86400"}});
  EXPECT_FALSE(failure.retry);
  EXPECT_NE(failure.error.message.find("asks to wait 86400 s, more than the "
                                       "120 s"),
            std::string::npos);
}

TEST(ChatResponse, ErrorTextsAreForPeople) {
  EXPECT_EQ(failureOf("<html>", 500).error.message,
            "the endpoint answered 500: an HTML page instead of JSON");
  EXPECT_EQ(failureOf(R"({"error": {"message": "no such model"}})", 404)
                .error.message,
            "the endpoint answered 404: no such model; check base-url and "
            "model");
}

TEST(ChatResponse, ErrorsUnderStatus200) { // LL-09 (a), (b), (d)
  ChatFailure quota =
      failureOf(R"({"error": {"message": "quota exceeded", "code": 429}})");
  EXPECT_TRUE(quota.retry);
  EXPECT_EQ(quota.error.message, "the endpoint answered 429: quota exceeded");
  ChatFailure key = failureOf(R"({"error": {"message": "no", "code": "401"}})");
  EXPECT_FALSE(key.retry);
  ChatFailure chunk = failureOf("data: {\"choices\": [], \"error\": "
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

TEST(ChatResponse, EventStreamLabelOnPlainJson) { // LL-09 (c)
  auto reply = parse(choice(R"({"content": "hello"})", "stop"), 200,
                     {{"content-type", "text/event-stream"}});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "hello");
}

TEST(ChatResponse, WholeEventStreamInOneRead) { // LL-09 (e)
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

TEST(ChatResponse, CutStreamIsTruncated) {
  Reply reply = replyTo(
      "data: {\"choices\": [{\"delta\": {\"content\": \"half\"}}]}\n\n");
  EXPECT_EQ(reply.finishReason, "length");
}

TEST(ChatResponse, WrongTypesDoNotThrow) {
  for (const char *body :
       {R"({"choices": {}})", R"({"choices": [3]})", R"([])", R"(3)",
        R"({"choices": [{"message": {"content": {"a": 1}}}]})",
        R"({"choices": [{"message": {"tool_calls": [1, {}]}}]})",
        R"({"error": 7})", R"({"usage": "x", "choices": null})",
        "data: {\"choices\": [{\"delta\": {\"tool_calls\": [{\"index\": "
        "99999999}]}}]}",
        "data: x", "{\"choices\": [", "\xff\xfe"})
    (void)parse(body);
}

} // namespace
