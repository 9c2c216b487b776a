// The strategy `agent`: tools, gate on calls, caps, compaction, resume.
#include "RoleScript.h"

#include "Agent/Compaction.h"
#include "Agent/Tools.h"

#include <gtest/gtest.h>

using namespace kclaw;
using json::Json;
using Status = RegionOutcome::Status;

namespace {

Reply calls(std::vector<std::pair<std::string, Json>> list) {
  Reply reply;
  reply.finishReason = "tool_calls";
  reply.usage = {100, 50, 0.25, 1};
  for (auto &[name, arguments] : list)
    reply.toolCalls.push_back({"id" + std::to_string(reply.toolCalls.size()),
                               name, json::dump(arguments)});
  return reply;
}

/// Answers call by call, whatever was answered before.
struct AgentBench : RolesBench {
  std::vector<Reply> script; ///< by the number of replies so far
  size_t replies = 0;

  AgentBench() {
    options.strategy = "agent";
    options.budget.maxAttempts = 3;
    provider.answer = [this](const Conversation &c) -> Expected<Reply> {
      size_t index = replies++;
      if (index < script.size())
        return script[index];
      Reply nothing;
      nothing.exhausted = true;
      (void)c;
      return nothing;
    };
  }

  static Json files(const std::string &title) {
    Plan plan = samplePlan();
    plan.title = title;
    Json list = Json::array();
    for (const auto &[file, content] : planFiles(plan))
      list.push_back({{"file", file}, {"content", content}});
    return list;
  }
  static Json retitle(const std::string &from, const std::string &to) {
    Json edits = Json::array();
    edits.push_back({{"file", "plan.json"},
                     {"search", "\"title\": \"" + from + "\""},
                     {"replace", "\"title\": \"" + to + "\""}});
    return edits;
  }
  Json change(const std::string &from, const std::string &to) {
    Json predicted = Json::array();
    predicted.push_back({{"counter", "time"}, {"change", "down"}});
    return {{"edits", retitle(from, to)},
            {"method", firstMethod()},
            {"evidence", {"Time: 83.33 us"}},
            {"predicted", predicted}};
  }
  /// Of the bank: found by asking for the list first.
  std::string firstMethod() const { return allowed; }
  std::string allowed;

  /// Messages that tools answered, in order.
  std::vector<std::string> outputs() const {
    std::vector<std::string> list;
    for (const Message &message : provider.asked.back().messages)
      if (message.role == "tool")
        list.push_back(message.content);
    return list;
  }
};

/// What `card` lists first once attempt 1 is right.
std::string findAllowed() {
  AgentBench bench;
  bench.results = {{1, judged(Outcome::Ok, 1.2)}};
  bench.script = {calls({{"time", {{"files", AgentBench::files("plan 1")}}}}),
                  calls({{"card", Json::object()}}), calls({})};
  bench.run();
  const std::string &list = bench.outputs().back();
  size_t at = list.find("\n- ");
  return at == std::string::npos
             ? ""
             : list.substr(at + 3, list.find(':', at) - at - 3);
}

TEST(AgentLoop, OneConversationSeveralAttempts) {
  AgentBench bench;
  bench.allowed = findAllowed();
  ASSERT_FALSE(bench.allowed.empty());
  bench.results = {{1, judged(Outcome::Ok, 1.2)},
                   {3, judged(Outcome::Ok, 1.8)}};
  bench.script = {
      calls({{"compile", {{"files", AgentBench::files("plan 1")}}}}),
      calls({{"time", Json::object()}}),
      calls({{"time", bench.change("plan 1", "plan 2")}}),
      calls({{"submit",
              {{"edits", AgentBench::retitle("plan 2", "plan 3")},
               {"plan", "the tail was left out"},
               {"final", true}}}})};
  RegionOutcome outcome = bench.run();
  EXPECT_EQ(outcome.plan.title, "plan 3") << outcome.reason;
  ASSERT_EQ(bench.provider.asked.size(), 4u);
  // Append-only.
  const auto &first = bench.provider.asked[0].messages;
  const auto &last = bench.provider.asked[3].messages;
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(first[i].content, last[i].content);
  EXPECT_EQ(last.size(), first.size() + 6);
  // All but `skeleton`: there is none for this region.
  EXPECT_EQ(bench.provider.asked[0].tools.size(), 8u);
  EXPECT_EQ(bench.evaluator.jobs[0].kind, Job::Kind::Compile);
  EXPECT_EQ(bench.record(2)["phase"], "optimise");
  EXPECT_EQ(bench.record(2)["method"], bench.allowed);
  EXPECT_EQ(bench.record(3)["phase"], "repair");
  EXPECT_EQ(bench.record(3)["parent"], 2);
  EXPECT_NEAR(bench.record(3)["gain"].get<double>(), 1.5, 1e-9);
}

TEST(AgentLoop, TheGateActsOnCalls) {
  AgentBench bench;
  bench.allowed = "luck";
  bench.options.budget.maxAttempts = 2;
  bench.results = {{1, judged(Outcome::Ok, 1.2)}};
  Json bare{{"edits", AgentBench::retitle("plan 1", "plan 2")}};
  bench.script = {calls({{"time", {{"files", AgentBench::files("plan 1")}}}}),
                  calls({{"time", bench.change("plan 1", "plan 2")}}),
                  calls({{"card", {{"name", "luck"}}}}),
                  calls({{"time", Json::object()}}), calls({})};
  bench.run();
  EXPECT_EQ(bench.evaluator.jobs.size(), 1u);
  auto outputs = bench.outputs();
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_NE(outputs[1].find("method 'luck' is not allowed here"),
            std::string::npos);
  EXPECT_NE(outputs[2].find("there is no method 'luck'"), std::string::npos);
  EXPECT_NE(outputs[3].find("name the method"), std::string::npos);
}

TEST(AgentLoop, BadCallsAreAnswered) {
  AgentBench bench;
  bench.options.budget.maxAttempts = 1;
  Reply broken = calls({{"compile", Json::object()}});
  broken.toolCalls[0].arguments = "{\"files\": [";
  bench.script = {calls({{"sudo", {{"command", "rm"}}}}),
                  broken,
                  calls({{"compile", {{"files", 3}}}}),
                  calls({{"compile", Json::object()}}),
                  calls({{"profile", {{"attempt", 7}}}}),
                  calls({{"disassemble", Json::object()}}),
                  calls({})};
  bench.run();
  auto outputs = bench.outputs();
  ASSERT_EQ(outputs.size(), 6u);
  const char *expected[] = {"there is no tool 'sudo'; there are compile",
                            "the arguments are no JSON object",
                            "arguments: files: expected a list",
                            "there are no files yet",
                            "there is no judged attempt 7",
                            "nothing was compiled yet"};
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NE(outputs[i].find(expected[i]), std::string::npos) << outputs[i];
}

TEST(AgentLoop, CallsWithoutEndAreAFailedAttempt) {
  AgentBench bench;
  bench.options.budget.maxAttempts = 2;
  bench.provider.answer = [](const Conversation &) {
    return calls({{"history", Json::object()}});
  };
  bench.run();
  EXPECT_EQ(bench.record(1)["outcome"], "rejected");
  EXPECT_EQ(bench.record(1)["rule"], "calls");
  EXPECT_NE(bench.outputs().back().find("do something else"),
            std::string::npos);
  EXPECT_EQ(bench.record(2)["rule"], "calls");
}

TEST(AgentLoop, WordsAloneAreAFailedAttempt) {
  AgentBench bench;
  bench.options.budget.maxAttempts = 1;
  bench.provider.answer = [](const Conversation &) {
    Reply reply;
    reply.text = "I think it is fine.";
    return reply;
  };
  bench.run();
  EXPECT_EQ(bench.provider.asked.size(), 3u);
  EXPECT_EQ(bench.record(1)["rule"], "reply");
}

TEST(AgentLoop, AProviderWithoutToolsWritesItsCalls) {
  AgentBench bench;
  bench.options.budget.maxAttempts = 2;
  bench.results = {{2, judged(Outcome::Ok, 1.5)}};
  Reply written;
  written.text = json::dump(
      {{"tool", "time"}, {"arguments", {{"files", bench.files("plan 1")}}}});
  Reply blocks;
  blocks.text = "<<<<<<< SEARCH plan.json\n \"title\": \"plan 1\",\n=======\n"
                " \"title\": \"plan 2\",\n>>>>>>> REPLACE\n";
  bench.script = {written, blocks};
  EXPECT_EQ(bench.run().plan.title, "plan 2");
}

TEST(AgentLoop, OutputsAreFilteredAndCut) {
  std::string text = "ld.global\nst.global\nadd.f32\n";
  EXPECT_EQ(filterOutput(text, "^ld", 1000), "ld.global\n");
  EXPECT_EQ(filterOutput(text, "(", 1000),
            "none of 3 lines matches '(' (no regular expression: searched as "
            "text)\n");
  EXPECT_NE(filterOutput(std::string(5000, 'x'), "", 200).find("4800 bytes"),
            std::string::npos);
}

TEST(AgentLoop, CompactionKeepsCallsAnswered) {
  Conversation conversation;
  conversation.messages = {{"system", "rules"}, {"user", "region"}};
  std::map<size_t, std::string> summaries;
  for (int i = 0; i < 10; ++i) {
    Message said{"assistant", ""};
    said.toolCalls = {{"id", "compile", std::string(3000, 'a')}};
    conversation.messages.push_back(said);
    Message answered{"tool", std::string(3000, 'b')};
    answered.toolCallId = "id";
    conversation.messages.push_back(answered);
    summaries[conversation.messages.size() - 1] = "compile: ok";
  }
  int64_t before = conversationTokens(conversation);
  compact(conversation, summaries);
  EXPECT_LT(conversationTokens(conversation), before / 2);
  EXPECT_EQ(conversation.messages.size(), 22u);
  EXPECT_TRUE(conversation.messages[3].content.starts_with("compile: ok\n"));
  EXPECT_EQ(conversation.messages[3].toolCallId, "id");
  EXPECT_TRUE(Json::accept(conversation.messages[2].toolCalls[0].arguments));
  EXPECT_EQ(conversation.messages.back().content, std::string(3000, 'b'));
}

TEST(AgentLoop, ALongConversationShrinks) {
  AgentBench bench;
  bench.options.budget.maxAttempts = 1;
  bench.options.contextTokens = 16000;
  for (int i = 0; i < 20; ++i)
    bench.script.push_back(
        calls({{"compile",
                {{"files", AgentBench::files("plan " + std::to_string(i))}}}}));
  bench.run();
  ASSERT_EQ(bench.provider.asked.size(), 21u);
  for (const Conversation &each : bench.provider.asked)
    EXPECT_LE(conversationTokens(each), 16000);
  EXPECT_LT(bench.provider.asked.back().messages.size(), 40u);
}

TEST(AgentLoop, KilledAfterEachFileTheSameCourseIsTaken) {
  std::string allowed = findAllowed();
  auto script = [&](AgentBench &bench) {
    bench.provider.pauseMilliseconds = bench.evaluator.pauseMilliseconds = 10;
    bench.allowed = allowed;
    bench.results = {{1, judged(Outcome::Ok, 1.2)},
                     {2, judged(Outcome::Ok, 1.8)}};
    bench.script = {
        calls({{"compile", {{"files", AgentBench::files("plan 1")}}}}),
        calls({{"time", Json::object()}, {"card", Json::object()}}),
        calls(
            {{"check", {{"edits", AgentBench::retitle("plan 1", "plan 9")}}}}),
        calls({{"time", bench.change("plan 9", "plan 2")}}),
        calls({{"submit", {{"final", true}}}})};
  };
  AgentBench whole;
  script(whole);
  ASSERT_EQ(whole.run().plan.title, "plan 2");
  size_t files = filesInOrder(whole.region()).size();
  ASSERT_GT(files, 15u);
  size_t jobs = whole.evaluator.jobs.size();
  EXPECT_EQ(jobs, 4u);
  for (size_t kept = 0; kept < files; ++kept) {
    AgentBench bench;
    script(bench);
    bench.run();
    std::vector<std::string> paths = filesInOrder(bench.region());
    ASSERT_EQ(paths.size(), files);
    size_t replies = 0, verdicts = 0;
    for (size_t i = kept; i < files; ++i) {
      replies += paths[i].find("/reply") != std::string::npos;
      auto text = readFile(paths[i]);
      verdicts += paths[i].ends_with("/evaluation.json") ||
                  (paths[i].find("/tool-") != std::string::npos &&
                   text->find("\"evaluation\":") != std::string::npos);
      std::filesystem::remove(paths[i]);
    }
    bench.provider.asked.clear();
    bench.evaluator.jobs.clear();
    bench.replies = bench.script.size() - replies;
    EXPECT_EQ(bench.run().plan.title, "plan 2") << paths[kept];
    EXPECT_EQ(bench.provider.asked.size(), replies) << paths[kept];
    EXPECT_EQ(bench.evaluator.jobs.size(), verdicts) << paths[kept];
    for (int k = 1; k <= 2; ++k)
      EXPECT_EQ(bench.record(k), whole.record(k)) << paths[kept] << " " << k;
  }
}

} // namespace
