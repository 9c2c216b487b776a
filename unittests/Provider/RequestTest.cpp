// What a conversation looks like in each wire format.
#include "kernelclaw/Provider/WireFormat.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace kclaw;
using Json = nlohmann::json;

namespace {

/// Two turns with tools, as the agent strategy has them.
Conversation talk() {
  Conversation conversation;
  conversation.messages = {
      {"system", "be brief", {}, "", true},
      {"user", "task"},
      {"assistant",
       "",
       {{"a1", "compile", R"({"x": 1})"}, {"a2", "time", "?"}}},
      {"tool", "ok", {}, "a1"},
      {"tool", "", {}, "a2", true},
      {"user", "go on"}};
  conversation.tools = {{"compile", "compiles", R"({"type": "object"})"}};
  conversation.maxTokens = 77;
  conversation.responseSchema = R"({"type": "object"})";
  conversation.responseSchemaName = "plan";
  return conversation;
}

RequestStyle style(bool stream) {
  RequestStyle style;
  style.model = "m";
  style.reasoningEffort = "low";
  style.stream = stream;
  return style;
}

Json render(WireFormat format, bool stream = false) {
  return Json::parse(renderRequest(format, talk(), style(stream)));
}

TEST(Request, Chat) {
  EXPECT_EQ(render(WireFormat::Chat), Json::parse(R"({
    "model": "m", "max_tokens": 77, "reasoning_effort": "low",
    "messages": [
      {"role": "system", "content": "be brief"},
      {"role": "user", "content": "task"},
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "a1", "type": "function",
         "function": {"name": "compile", "arguments": "{\"x\": 1}"}},
        {"id": "a2", "type": "function",
         "function": {"name": "time", "arguments": "?"}}]},
      {"role": "tool", "content": "ok", "tool_call_id": "a1"},
      {"role": "tool", "content": "", "tool_call_id": "a2"},
      {"role": "user", "content": "go on"}],
    "tools": [{"type": "function", "function": {"name": "compile",
      "description": "compiles", "parameters": {"type": "object"}}}],
    "response_format": {"type": "json_schema", "json_schema":
      {"name": "plan", "schema": {"type": "object"}, "strict": false}}})"));
  Json streamed = render(WireFormat::Chat, true);
  EXPECT_EQ(streamed["stream"], true);
  EXPECT_EQ(streamed["stream_options"]["include_usage"], true);
}

TEST(Request, Responses) {
  EXPECT_EQ(render(WireFormat::Responses), Json::parse(R"({
    "model": "m", "max_output_tokens": 77, "store": false,
    "reasoning": {"effort": "low"},
    "input": [
      {"role": "system", "content": "be brief"},
      {"role": "user", "content": "task"},
      {"type": "function_call", "call_id": "a1", "name": "compile",
       "arguments": "{\"x\": 1}"},
      {"type": "function_call", "call_id": "a2", "name": "time",
       "arguments": "?"},
      {"type": "function_call_output", "call_id": "a1", "output": "ok"},
      {"type": "function_call_output", "call_id": "a2", "output": ""},
      {"role": "user", "content": "go on"}],
    "tools": [{"type": "function", "name": "compile", "strict": false,
      "description": "compiles", "parameters": {"type": "object"}}],
    "text": {"format": {"type": "json_schema", "name": "plan",
      "schema": {"type": "object"}, "strict": false}}})"));
}

TEST(Request, Messages) {
  EXPECT_EQ(render(WireFormat::Messages), Json::parse(R"({
    "model": "m", "max_tokens": 77,
    "system": [{"type": "text", "text": "be brief",
                "cache_control": {"type": "ephemeral"}}],
    "messages": [
      {"role": "user", "content": [{"type": "text", "text": "task"}]},
      {"role": "assistant", "content": [
        {"type": "tool_use", "id": "a1", "name": "compile", "input": {"x": 1}},
        {"type": "tool_use", "id": "a2", "name": "time",
         "input": {"unreadable": "?"}}]},
      {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "a1", "content": "ok"},
        {"type": "tool_result", "tool_use_id": "a2",
         "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "go on"}]}],
    "tools": [{"name": "compile", "description": "compiles",
               "input_schema": {"type": "object"}}],
    "output_config": {"effort": "low", "format":
      {"type": "json_schema", "schema": {"type": "object"}}}})"));
}

TEST(Request, FourCacheMarksAtMost) {
  Conversation conversation;
  for (int i = 0; i < 7; ++i)
    conversation.messages.push_back(
        {i % 2 ? "assistant" : "user", std::to_string(i), {}, "", true});
  Json body = Json::parse(
      renderRequest(WireFormat::Messages, conversation, style(false)));
  std::string marked;
  for (const Json &message : body["messages"])
    if (message["content"][0].contains("cache_control"))
      marked += message["content"][0]["text"];
  EXPECT_EQ(marked, "0456");
}

TEST(Request, StrictWhereTheSchemaIs) {
  Conversation conversation = talk();
  conversation.responseSchema = R"({"type": "object", "required": ["a"],
    "additionalProperties": false, "properties": {"a": {"type": "array",
      "items": {"type": "object", "required": [], "properties": {},
                "additionalProperties": false}}}})";
  auto strict = [&conversation] {
    return Json::parse(renderRequest(
        WireFormat::Chat, conversation,
        style(false)))["response_format"]["json_schema"]["strict"];
  };
  EXPECT_EQ(strict(), true);
  conversation.responseSchema.replace(
      conversation.responseSchema.find(R"("items")"), 7, R"("anyOf": [
        {"type": "object"}], "items")");
  EXPECT_EQ(strict(), false);
}

TEST(Request, WhatIsLeftOut) {
  struct Row {
    WireFormat format;
    Feature feature;
    const char *absent; ///< a member that is gone
  };
  const Row rows[] = {
      {WireFormat::Chat, Feature::Schema, "/response_format"},
      {WireFormat::Chat, Feature::Effort, "/reasoning_effort"},
      {WireFormat::Chat, Feature::StreamUsage, "/stream_options"},
      {WireFormat::Chat, Feature::OldLimit, "/max_tokens"},
      {WireFormat::Responses, Feature::Schema, "/text"},
      {WireFormat::Responses, Feature::Effort, "/reasoning"},
      {WireFormat::Messages, Feature::Schema, "/output_config/format"},
      {WireFormat::Messages, Feature::Effort, "/output_config/effort"},
      {WireFormat::Messages, Feature::Cache, "/system/0/cache_control"}};
  for (const Row &row : rows) {
    RequestStyle partial = style(true);
    Json::json_pointer path(row.absent);
    Json all = Json::parse(renderRequest(row.format, talk(), partial));
    EXPECT_TRUE(all.contains(path)) << row.absent;
    partial.leftOut = {row.feature};
    Json less = Json::parse(renderRequest(row.format, talk(), partial));
    EXPECT_FALSE(less.contains(path)) << row.absent;
  }
}

TEST(Request, BytesThatAreNotText) {
  Conversation conversation;
  conversation.messages = {{"user", "\xff\xfe"}};
  for (WireFormat format :
       {WireFormat::Chat, WireFormat::Responses, WireFormat::Messages})
    EXPECT_NO_THROW(EXPECT_TRUE(
        Json::parse(renderRequest(format, conversation, style(false)))
            .is_object()));
}

} // namespace
