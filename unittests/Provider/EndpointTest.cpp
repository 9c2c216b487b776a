// openai and anthropic against a real HTTP server (chat_server.py).
#include "ChatServer.h"

#include <nlohmann/json.hpp>

#include <thread>

using namespace kclaw;

namespace {

class Endpoint : public ChatServer {};

TEST_F(Endpoint, SendsTheConversationAndTheKey) {
  for (const Wire &wire : wires) {
    EXPECT_EQ(outcome(options("checks-key", wire)), "answer: welcome");
    ProviderOptions echo = options("echo", wire);
    echo.headers = {"X-Extra: plain $KERNELCLAW_TEST_EXTRA"};
    setenv("KERNELCLAW_TEST_EXTRA", "another-secret", 1);
    auto reply = ask(echo);
    ASSERT_TRUE(reply) << reply.error().message;
    auto sent = nlohmann::json::parse(reply->text);
    // What the server tells about the secrets is not kept.
    EXPECT_TRUE(sent["key"].get<std::string>().ends_with("<key>"));
    EXPECT_EQ(sent["extra"], "plain <key>");
    EXPECT_EQ(sent["body"]["stream"], true);
    EXPECT_EQ(sent["body"]["tools"].size(), 1u);
    EXPECT_EQ(reply->model, "mock-1");
  }
}

TEST_F(Endpoint, RoleChoosesModelAndPrice) {
  ProviderOptions byRole = options("echo");
  byRole.roleModels = {{"planner", "echo@planner"}};
  byRole.prices = {{"echo@p*", {.input = 2, .output = 8, .cachedInput = 1}}};
  Conversation conversation = question();
  conversation.role = "planner";
  auto reply = ask(byRole, conversation);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(nlohmann::json::parse(reply->text)["body"]["model"],
            "echo@planner");
  // 600 at 2, 400 at 1, 500 at 8 dollars a million
  EXPECT_NEAR(reply->usage.dollars, 0.0056, 1e-12);
  EXPECT_EQ(ask(byRole)->usage.dollars, 0);
  EXPECT_FALSE(byRole.hasPrices());
}

TEST_F(Endpoint, BooksUsageAndPrice) {
  for (const Wire &wire : wires)
    for (bool stream : {false, true}) {
      ProviderOptions priced = options("priced", wire);
      priced.stream = stream;
      priced.prices = {{"priced*", {2, 8, 0.2, 2.5}}};
      auto reply = ask(priced);
      ASSERT_TRUE(reply) << reply.error().message;
      EXPECT_EQ(reply->usage.inputTokens, 1000);
      EXPECT_EQ(reply->usage.cachedInputTokens, 400);
      EXPECT_EQ(reply->usage.outputTokens, 500);
      bool writes = std::string(wire.kind) == "anthropic";
      EXPECT_EQ(reply->usage.cacheWriteTokens, writes ? 100 : 0);
      double dollars = writes ? 500 * 2 + 400 * 0.2 + 100 * 2.5 + 500 * 8
                              : 600 * 2 + 400 * 0.2 + 500 * 8;
      EXPECT_NEAR(reply->usage.dollars, dollars / 1e6, 1e-12);
      EXPECT_GT(reply->usage.seconds, 0);
    }
}

TEST_F(Endpoint, TokensAreToldWhileTheyCome) {
  for (const Wire &wire : wires) {
    std::vector<int64_t> counts;
    Conversation told = question();
    told.onTokens = [&](int64_t tokens) { counts.push_back(tokens); };
    ASSERT_TRUE(ask(options("no-plan", wire), told));
    ASSERT_GT(counts.size(), 3u) << wire.name;
    EXPECT_TRUE(std::ranges::is_sorted(counts)) << wire.name;
    EXPECT_LT(counts.front(), 20);
    EXPECT_EQ(counts.back(), 500) << wire.name;
  }
}

TEST_F(Endpoint, WaitsAsToldAndAsksAgain) {
  for (const Wire &wire : wires)
    EXPECT_EQ(outcome(options("busy-twice", wire)), "answer: answer 3");
}

TEST_F(Endpoint, LeavesOutWhatIsRefusedFromThenOn) {
  Conversation conversation = question();
  conversation.responseSchema = R"({"type": "object"})";
  conversation.responseSchemaName = "plan";
  for (const Wire &wire : wires)
    for (const char *model : {"no-schema", "no-effort"}) {
      ProviderOptions refusing = options(model, wire);
      bool effort = std::string(model) == "no-effort";
      if (effort)
        refusing.reasoningEffort = "low";
      Conversation asked = effort ? question() : conversation;
      std::string where = std::string(model) + " " + wire.name;
      EXPECT_EQ(describe(ask(refusing, asked)), "answer: answer 2") << where;
      // Another provider of this process need not learn it again.
      EXPECT_EQ(describe(ask(refusing, asked)), "answer: answer 3") << where;
    }
}

TEST_F(Endpoint, OtherSchemasAreStillSent) {
  ProviderOptions refusing = options("no-schema");
  Conversation conversation = question();
  conversation.responseSchema = R"({"type": "object"})";
  conversation.responseSchemaName = "plan";
  ASSERT_TRUE(ask(refusing, conversation));
  conversation.responseSchemaName = "diagnosis";
  EXPECT_EQ(describe(ask(refusing, conversation)), "answer: answer 4");
}

TEST_F(Endpoint, LearnsTheNewerNameOfTheLimit) {
  Conversation conversation = question();
  conversation.maxTokens = 5000; // the 400 in the message is no limit
  EXPECT_EQ(describe(ask(options("new-limit-name"), conversation)),
            "answer: answer 2");
}

TEST_F(Endpoint, LearnsThatStreamsCarryNoUsage) {
  EXPECT_EQ(outcome(options("no-stream-options")), "answer: answer 2");
}

TEST_F(Endpoint, LearnsTheLargestAnswer) {
  Conversation conversation = question();
  conversation.maxTokens = 100000;
  for (const Wire &wire : wires)
    EXPECT_EQ(describe(ask(options("small-limit", wire), conversation)),
              "answer: asked for 4096");
}

TEST_F(Endpoint, ConnectionsAreKept) {
  auto provider = createProvider(options("port"));
  ASSERT_TRUE(provider);
  std::string first = (*provider)->complete(question())->text;
  EXPECT_EQ((*provider)->complete(question())->text, first);
}

TEST_F(Endpoint, ManyCallsAtOnce) {
  auto provider = createProvider(options("two-calls"));
  ASSERT_TRUE(provider);
  std::atomic<int> good = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int call = 0; call < 4; ++call)
        good += (*provider)->complete(question())->text == "both";
    });
  threads.clear();
  EXPECT_EQ(good, 32);
}

TEST_F(Endpoint, CancelledUnderWayAndWhileWaiting) {
  for (const char *model : {"slow", "long-wait", "endless-comments"}) {
    std::atomic<bool> cancelled = false;
    ProviderOptions patient = options(model);
    patient.cancelled = &cancelled;
    std::jthread user([&cancelled] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      cancelled = true;
    });
    std::string text = outcome(patient);
    EXPECT_NE(text.find("cancelled"), std::string::npos) << model << text;
  }
}

TEST_F(Endpoint, FailedAnswersAreBooked) {
  ProviderOptions cut = options("cut");
  cut.maxRetries = 0;
  cut.prices = {{"cut*", {1, 10}}};
  auto provider = createProvider(cut);
  ASSERT_TRUE(provider);
  EXPECT_FALSE((*provider)->complete(question()));
  EXPECT_EQ((*provider)->takeUnbooked("another").outputTokens, 0);
  Usage usage = (*provider)->takeUnbooked("abc-1");
  EXPECT_GT(usage.inputTokens, 0);
  EXPECT_GT(usage.outputTokens, 0);
  EXPECT_GT(usage.dollars, 0);
  EXPECT_EQ((*provider)->takeUnbooked("abc-1").inputTokens, 0);
}

TEST_F(Endpoint, WhatStatesNoUsageIsEstimated) {
  for (bool stream : {false, true}) {
    ProviderOptions silent = options("no-usage");
    silent.stream = stream;
    auto reply = ask(silent);
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_GT(reply->usage.inputTokens, 5);
    EXPECT_GT(reply->usage.outputTokens, 0);
    EXPECT_LE(reply->usage.outputTokens, 77); // what was asked for
  }
}

TEST_F(Endpoint, PaidFailuresAreRepeatedOnlyIfTheyMay) {
  Conversation conversation = question();
  int64_t told = 0;
  conversation.mayRepeat = [&told](const Usage &wasted) {
    told = wasted.inputTokens;
    return false;
  };
  auto reply = ask(options("cut-once"), conversation);
  ASSERT_FALSE(reply);
  EXPECT_GT(told, 0);
  conversation.mayRepeat = [](const Usage &) { return true; };
  ProviderOptions again = options("cut-once");
  again.model += "b";
  auto second = ask(again, conversation);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_GT(second->usage.inputTokens, 1000); // both tries
}

TEST_F(Endpoint, RetriesEndWithTheConversationsTime) {
  Conversation conversation = question();
  conversation.timeoutSeconds = 0.5; // less than the first wait
  auto reply = ask(options("cut"), conversation);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message.find("tries"), std::string::npos)
      << reply.error().message;
}

TEST_F(Endpoint, Down) {
  ProviderOptions down = options("any");
  down.baseUrl = "http://127.0.0.1:1/v1";
  std::string text = outcome(down);
  EXPECT_TRUE(text.starts_with("provider openai: asking "
                               "'http://127.0.0.1:1/v1/chat/completions' "
                               "failed: "))
      << text;
  EXPECT_TRUE(text.ends_with("start the endpoint or set another base-url"))
      << text;
}

TEST_F(Endpoint, KeyMissing) {
  unsetenv(testKeyVariable);
  ProviderOptions away = options("any");
  away.baseUrl = "https://api.example.com/v1";
  EXPECT_EQ(outcome(away), "provider openai: no key; set the environment "
                           "variable KERNELCLAW_TEST_KEY");
  // A name that only begins like this machine's is another machine.
  away.baseUrl = "https://localhost.example.com/v1";
  EXPECT_FALSE(createProvider(away));
  EXPECT_EQ(outcome(options("no-key")), "answer: answer 1");
  unsetenv("ANTHROPIC_API_KEY");
  away.kind = "anthropic";
  away.keyVariable = "";
  EXPECT_EQ(outcome(away), "provider anthropic: no key; set the environment "
                           "variable ANTHROPIC_API_KEY");
}

TEST_F(Endpoint, BadHeaders) {
  ProviderOptions bad = options("any");
  bad.headers = {"no colon"};
  EXPECT_EQ(outcome(bad), "provider openai: header 'no colon' is not of the "
                          "form 'Name: value'");
  unsetenv("KERNELCLAW_TEST_NONE");
  bad.headers = {"X-Team: $KERNELCLAW_TEST_NONE"};
  EXPECT_EQ(outcome(bad), "provider openai: header 'X-Team': the environment "
                          "variable KERNELCLAW_TEST_NONE is not set");
  bad.headers = {};
  bad.api = "chta";
  EXPECT_EQ(outcome(bad),
            "provider openai: api is 'chta'; accepted: chat, responses");
}

} // namespace
