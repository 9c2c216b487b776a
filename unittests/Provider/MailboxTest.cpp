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

TEST(Replay, LooksInThreePlaces) {
  TemporaryDirectory folder;
  auto provider = make("replay", folder.str());
  EXPECT_TRUE(provider->complete(question())->exhausted);
  write(folder / "reply-2.txt", "text for any region");
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
  reply.usage = {1, 2, 0.5, 3};
  reply.exhausted = true;
  auto again = parseReply(toJson(reply));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(toJson(*again), toJson(reply));
  EXPECT_EQ(again->toolCalls[0].arguments, "{\"x\": 1}<|call|>");
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
                               "openai, exchange, replay, none");
  EXPECT_EQ(errorOf("exchange"),
            "provider exchange needs a directory for the mailbox");
  EXPECT_EQ(errorOf("replay"),
            "provider replay: '' is not a folder with recorded replies");
  EXPECT_EQ(errorOf("openai"), "provider openai needs a model; set model=NAME");
}

} // namespace
