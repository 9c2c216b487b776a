// The openai provider against a real HTTP server (chat_server.py).
#include "kernelclaw/Provider/Provider.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace kclaw;

namespace {

constexpr const char *keyVariable = "KERNELCLAW_TEST_KEY";

class OpenAi : public testing::Test {
protected:
  static void SetUpTestSuite() {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    server = fork();
    if (server == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      execl(KCLAW_PYTHON, KCLAW_PYTHON, KCLAW_CHAT_SERVER, nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::FILE *out = fdopen(ends[0], "r");
    ASSERT_EQ(std::fscanf(out, "%d", &port), 1) << "chat_server.py not up";
    std::fclose(out);
  }
  static void TearDownTestSuite() {
    kill(server, SIGTERM);
    waitpid(server, nullptr, 0);
  }
  void SetUp() override { setenv(keyVariable, "sk-secret", 1); }

  static ProviderOptions options(const std::string &model) {
    ProviderOptions options;
    options.kind = "openai";
    options.model = model;
    options.baseUrl = "http://127.0.0.1:" + std::to_string(port) + "/v1/";
    options.keyVariable = keyVariable;
    options.timeoutSeconds = 20;
    return options;
  }

  static Expected<Reply> ask(const ProviderOptions &options) {
    auto provider = createProvider(options);
    if (!provider)
      return std::unexpected(provider.error());
    Conversation conversation;
    conversation.id = "abc-1";
    conversation.messages = {{"user", "hello"}};
    conversation.tools = {{"f", "does", R"({"type": "object"})"}};
    conversation.maxTokens = 77;
    return (*provider)->complete(conversation);
  }

  static std::string errorOf(const ProviderOptions &options) {
    auto reply = ask(options);
    return reply ? "answer: " + reply->text : reply.error().message;
  }

  static inline pid_t server = -1;
  static inline int port = 0;
};

TEST_F(OpenAi, SendsTheConversation) {
  auto reply = ask(options("echo"));
  ASSERT_TRUE(reply) << reply.error().message;
  auto sent = nlohmann::json::parse(reply->text);
  EXPECT_EQ(sent["authorization"], "Bearer sk-secret");
  EXPECT_EQ(sent["body"]["messages"][0]["content"], "hello");
  EXPECT_EQ(sent["body"]["max_tokens"], 77);
  EXPECT_EQ(sent["body"]["tools"][0]["function"]["name"], "f");
}

TEST_F(OpenAi, BooksUsageAndPrice) {
  ProviderOptions priced = options("priced");
  priced.inputDollarsPerMillion = 2;
  priced.outputDollarsPerMillion = 8;
  auto reply = ask(priced);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->usage.inputTokens, 1000);
  EXPECT_EQ(reply->usage.outputTokens, 500);
  EXPECT_NEAR(reply->usage.dollars, 0.006, 1e-12);
  EXPECT_GT(reply->usage.seconds, 0);
}

TEST_F(OpenAi, WaitsAsToldAndAsksAgain) {
  EXPECT_EQ(errorOf(options("busy-twice")), "answer: answer 3");
}

TEST_F(OpenAi, BrokenConnectionIsAskedAgain) {
  EXPECT_EQ(errorOf(options("drops-once")), "answer: answer 2");
}

TEST_F(OpenAi, LearnsTheNewerNameOfTheLimit) {
  EXPECT_EQ(errorOf(options("new-limit-name")), "answer: answer 2");
}

TEST_F(OpenAi, GivesUpAfterFourTries) {
  EXPECT_EQ(errorOf(options("always-busy")),
            "provider openai: the endpoint answered 503: an HTML page instead "
            "of JSON (4 tries)");
}

TEST_F(OpenAi, QuotaIsTerminalAtFirstSight) {
  EXPECT_EQ(errorOf(options("quota")),
            "provider openai: the endpoint answered 429: spent; the account "
            "is spent, waiting will not help");
}

TEST_F(OpenAi, KeyIsInNoError) {
  EXPECT_EQ(errorOf(options("leaks-key")),
            "provider openai: the endpoint answered 401: bad key Bearer "
            "<key>; check the key in the environment variable");
}

TEST_F(OpenAi, RedirectsAreNotFollowed) {
  EXPECT_EQ(errorOf(options("redirect")),
            "provider openai: the endpoint answered 302: empty body");
}

TEST_F(OpenAi, BodyCutUnderWayIsAskedAgain) {
  EXPECT_EQ(errorOf(options("cut-once")), "answer: answer 2");
}

TEST_F(OpenAi, HtmlUnderAGoodStatus) {
  EXPECT_EQ(errorOf(options("html")),
            "provider openai: the endpoint answered 200: an HTML page instead "
            "of JSON (4 tries)");
}

TEST_F(OpenAi, TextThatIsNoJson) {
  EXPECT_EQ(errorOf(options("not-json")),
            "provider openai: the endpoint answered 200: upstream connect "
            "error (4 tries)");
}

TEST_F(OpenAi, EmptyBody) {
  EXPECT_EQ(errorOf(options("empty")), "provider openai: the endpoint answered "
                                       "200: empty body (4 tries)");
}

TEST_F(OpenAi, HugeBodyIsRefusedUnread) {
  EXPECT_TRUE(
      errorOf(options("huge")).ends_with("; the answer is longer than 64 MiB"));
}

TEST_F(OpenAi, ADripDoesNotMoveTheTimeLimit) {
  ProviderOptions drip = options("drip");
  drip.timeoutSeconds = 0.5;
  EXPECT_TRUE(errorOf(drip).ends_with("; the limit is 1 s")) << errorOf(drip);
}

TEST_F(OpenAi, RetriesEndWithTheConversationsTime) {
  auto provider = createProvider(options("cut"));
  ASSERT_TRUE(provider);
  Conversation conversation;
  conversation.messages = {{"user", "hello"}};
  conversation.timeoutSeconds = 0.5; // less than the first wait
  auto reply = (*provider)->complete(conversation);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message.find("tries"), std::string::npos)
      << reply.error().message;
}

TEST_F(OpenAi, TimeLimit) {
  ProviderOptions slow = options("slow");
  slow.timeoutSeconds = 0.3;
  EXPECT_NE(errorOf(slow).find("imed out"), std::string::npos);
}

TEST_F(OpenAi, EndpointDown) {
  ProviderOptions down = options("any");
  down.baseUrl = "http://127.0.0.1:1/v1";
  std::string text = errorOf(down);
  EXPECT_TRUE(text.starts_with("provider openai: asking "
                               "'http://127.0.0.1:1/v1/chat/completions' "
                               "failed: "))
      << text;
  EXPECT_TRUE(text.ends_with("start the endpoint or set another base-url"))
      << text;
}

TEST_F(OpenAi, KeyMissing) {
  unsetenv(keyVariable);
  ProviderOptions away = options("any");
  away.baseUrl = "https://api.example.com/v1";
  EXPECT_EQ(errorOf(away), "provider openai: no key; set the environment "
                           "variable KERNELCLAW_TEST_KEY");
  // A name that only begins like this machine's is another machine.
  away.baseUrl = "https://localhost.example.com/v1";
  EXPECT_FALSE(createProvider(away));
  EXPECT_EQ(errorOf(options("no-key")), "answer: answer 1");
}

} // namespace
