// exchange, replay, none: files in, files out.
#include "TemporaryDirectory.h"
#include "kernelclaw/Provider/Provider.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace kclaw;

namespace {

Conversation question() {
  Conversation conversation;
  conversation.id = "abc-2";
  conversation.attempt = 2;
  conversation.messages = {{"system", "be brief"}, {"user", "why \"?\n"}};
  conversation.tools = {{"submit_kernel", "answer", R"({"type": "object"})"}};
  return conversation;
}

std::unique_ptr<Provider> make(const std::string &kind,
                               const std::string &directory) {
  ProviderOptions options;
  options.kind = kind;
  options.directory = directory;
  auto provider = createProvider(options);
  EXPECT_TRUE(provider) << provider.error().message;
  return std::move(*provider);
}

void write(const std::string &path, const std::string &text) {
  std::filesystem::create_directories(
      std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

TEST(Exchange, ParksUntilAnswered) {
  TemporaryDirectory folder;
  auto provider = make("exchange", folder / "box");
  for (int time = 0; time < 2; ++time) {
    auto reply = provider->complete(question());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Error::Code::Parked);
    EXPECT_EQ(reply.error().message,
              "waiting for '" + (folder / "box/reply-abc-2.json") + "'");
  }
  std::ifstream file(folder / "box/request-abc-2.json");
  auto request = nlohmann::json::parse(file);
  EXPECT_EQ(request["messages"][1]["content"], "why \"?\n");
  EXPECT_EQ(request["tools"][0]["name"], "submit_kernel");
  EXPECT_EQ(request["replyFile"], "reply-abc-2.json");

  write(folder / "box/reply-abc-2.json",
        R"({"text": "because", "usage": {"inputTokens": 5}, "toolCalls":
            [{"name": "submit_kernel", "arguments": {"a": 1}}]})");
  auto reply = provider->complete(question());
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "because");
  EXPECT_EQ(reply->finishReason, "tool_calls");
  EXPECT_EQ(reply->usage.inputTokens, 5);
  EXPECT_EQ(reply->toolCalls[0].arguments, "{\"a\":1}");
}

TEST(Exchange, TheQuestionForPeople) {
  TemporaryDirectory folder;
  auto provider = make("exchange", folder.str());
  Conversation conversation = question();
  conversation.role = "planner";
  conversation.messages.push_back(
      {"assistant", "", {{"c1", "compile", R"({"x": 1})"}}});
  conversation.messages.push_back({"tool", "```\nfailed\n```", {}, "c1"});
  conversation.responseSchema = R"({"type": "object"})";
  conversation.responseSchemaName = "plan";
  EXPECT_FALSE(provider->complete(conversation));
  std::ifstream file(folder / "request-abc-2.json");
  auto request = nlohmann::json::parse(file);
  EXPECT_EQ(request["role"], "planner");
  EXPECT_EQ(request["responseSchema"]["type"], "object");
  EXPECT_EQ(request["messages"][2]["toolCalls"][0]["arguments"], R"({"x": 1})");
  EXPECT_EQ(request["messages"][3]["toolCallId"], "c1");
  std::ifstream page(folder / "request-abc-2.md");
  std::string text(std::istreambuf_iterator<char>(page), {});
  for (const char *part :
       {"Question abc-2, to the planner", "\n# user\n\nwhy \"?\n",
        "Call c1 of `compile`", "# tool answers call c1",
        "````\n```\nfailed\n```\n````", "`submit_kernel`: answer",
        "follows this schema", "`reply-abc-2.txt`"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Exchange, BadReplyNamesFileAndPath) {
  TemporaryDirectory folder;
  auto provider = make("exchange", folder.str());
  write(folder / "reply-abc-2.json", R"({"txet": "hello"})");
  auto reply = provider->complete(question());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Error::Code::Invalid);
  EXPECT_TRUE(reply.error().message.starts_with((folder / "reply-abc-2.json") +
                                                ": unknown member \"txet\""))
      << reply.error().message;
}

TEST(Replay, WhereItLooks) {
  TemporaryDirectory folder;
  auto provider = make("replay", folder.str());
  EXPECT_TRUE(provider->complete(question())->exhausted);
  write(folder / "reply-2.txt", "text for any region");
  EXPECT_EQ(provider->complete(question())->text, "text for any region");
  Conversation planner = question();
  planner.role = "planner";
  EXPECT_EQ(provider->complete(planner)->text, "text for any region");
  write(folder / "reply-planner-2.json", R"({"text": "a plan"})");
  EXPECT_EQ(provider->complete(planner)->text, "a plan");
  EXPECT_EQ(provider->complete(question())->text, "text for any region");
  write(folder / "regions/abc/attempt-2/reply.json", R"({"text": "recorded"})");
  EXPECT_EQ(provider->complete(question())->text, "recorded");
  write(folder / "reply-abc-2.json", R"({"text": "by id"})");
  EXPECT_EQ(provider->complete(question())->text, "by id");
}

TEST(Reply, RoundTrip) {
  Reply reply;
  reply.text = "a\n\"b\"";
  reply.toolCalls = {{"1", "f", "{\"x\": 1}<|call|>"}};
  reply.finishReason = "length";
  reply.refusal = "no";
  reply.usage = {1, 2, 0.5, 3, 4, 5};
  reply.model = "m-1";
  reply.exhausted = true;
  auto again = parseReply(toJson(reply));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), toJson(reply));
  EXPECT_EQ(again->toolCalls[0].arguments, "{\"x\": 1}<|call|>");
  EXPECT_EQ(again->usage.cachedInputTokens, 4);
  EXPECT_EQ(again->usage.cacheWriteTokens, 5);
}

TEST(CreateProvider, Words) {
  EXPECT_TRUE(make("none", "")->complete(question())->exhausted);
  auto errorOf = [](const std::string &kind) {
    ProviderOptions options;
    options.kind = kind;
    auto provider = createProvider(options);
    return provider ? "no error" : provider.error().message;
  };
  EXPECT_EQ(errorOf("opanai"), "unknown provider 'opanai'; accepted: expert, "
                               "openai, anthropic, command, exchange, "
                               "replay, none");
  EXPECT_EQ(errorOf("exchange"),
            "provider exchange needs a directory for the mailbox");
  EXPECT_EQ(errorOf("replay"),
            "provider replay: '' is not a folder with recorded replies");
  EXPECT_EQ(errorOf("openai"), "provider openai needs a model; set model=NAME");
  EXPECT_EQ(errorOf("anthropic"),
            "provider anthropic needs a model; set model=NAME");
  EXPECT_EQ(errorOf("command"),
            "provider command needs a program; set command=PROGRAM");
}

} // namespace
