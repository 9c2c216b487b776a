//===- ChatServer.h - chat_server.py for the time of a test -----*- C++ -*-===//
#ifndef KERNELCLAW_UNITTESTS_PROVIDER_CHATSERVER_H
#define KERNELCLAW_UNITTESTS_PROVIDER_CHATSERVER_H

#include "kernelclaw/Provider/Provider.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace kclaw {

inline constexpr const char *testKeyVariable = "KERNELCLAW_TEST_KEY";
inline constexpr const char *testKey = "sk-secret";

/// A wire format as options name it.
struct Wire {
  const char *name, *kind, *api, *path;
};
inline constexpr Wire wires[] = {
    {"chat", "openai", "chat", "/v1/chat/completions"},
    {"responses", "openai", "responses", "/v1/responses"},
    {"messages", "anthropic", "chat", "/v1/messages"}};

class ChatServer : public testing::Test {
protected:
  static void SetUpTestSuite() {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    server = fork();
    if (server == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
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
  void SetUp() override { setenv(testKeyVariable, testKey, 1); }

  /// The server's row `model`, with a count of its own in every test.
  ProviderOptions options(const std::string &model,
                          const Wire &wire = wires[0]) const {
    ProviderOptions options;
    options.kind = wire.kind;
    options.api = wire.api;
    options.model =
        model + "@" +
        testing::UnitTest::GetInstance()->current_test_info()->name() +
        wire.name;
    options.baseUrl = "http://127.0.0.1:" + std::to_string(port) + "/v1/";
    options.keyVariable = testKeyVariable;
    options.timeoutSeconds = 20;
    options.maxRetries = 3;
    return options;
  }

  static Conversation question() {
    Conversation conversation;
    conversation.id = "abc-1";
    conversation.messages = {{"user", "hello"}};
    conversation.tools = {{"f", "does", R"({"type": "object"})"}};
    conversation.maxTokens = 77;
    return conversation;
  }

  static Expected<Reply> ask(const ProviderOptions &options,
                             const Conversation &conversation = question()) {
    auto provider = createProvider(options);
    if (!provider)
      return std::unexpected(provider.error());
    return (*provider)->complete(conversation);
  }

  /// "answer: TEXT", calls and an unusual end behind it; or the error.
  static std::string describe(const Expected<Reply> &reply) {
    if (!reply)
      return reply.error().message;
    if (!reply->refusal.empty())
      return "refusal: " + reply->refusal;
    std::string text = "answer: " + reply->text;
    for (const ToolCall &call : reply->toolCalls)
      text += "; " + call.name + " " + call.arguments;
    if (reply->finishReason != "stop")
      text += " (" + reply->finishReason + ")";
    return text;
  }
  static std::string outcome(const ProviderOptions &options) {
    return describe(ask(options));
  }

  static inline pid_t server = -1;
  static inline int port = 0;
};

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_PROVIDER_CHATSERVER_H
