// Park and resume from each point; killed anywhere, the same winner.
#include "Fakes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace kclaw;
using Status = RegionOutcome::Status;
namespace fs = std::filesystem;

namespace {

std::string slurp(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int count(const std::string &text, const std::string &piece) {
  int found = 0;
  for (size_t at = 0; (at = text.find(piece, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

void script(Bench &bench) {
  bench.options.budget.maxAttempts = 3;
  bench.evaluator.byTitle.clear();
  bench.evaluator.byTitle.emplace("plan 1", judged(Outcome::CompileError));
  bench.evaluator.byTitle.emplace("plan 2", judged(Outcome::Ok, 1.3));
  bench.evaluator.byTitle.emplace("plan 3", judged(Outcome::Ok, 1.6));
}

TEST(Resume, ProviderParksAtEachAttempt) {
  for (int stop = 1; stop <= 3; ++stop) {
    Bench bench;
    script(bench);
    auto answer = bench.provider.answer;
    bench.provider.answer = [&](const Conversation &c) -> Expected<Reply> {
      if (c.attempt == stop)
        return makeError(Error::Code::Parked, "waiting for a file");
      return answer(c);
    };
    RegionOutcome parked = bench.run();
    EXPECT_EQ(parked.status, Status::Parked);
    EXPECT_EQ(parked.reason, "waiting for a file");
    bench.provider.answer = answer;
    bench.provider.asked.clear();
    bench.evaluator.jobs.clear();
    RegionOutcome outcome = bench.run();
    EXPECT_EQ(outcome.plan.title, "plan 3") << stop;
    EXPECT_EQ(bench.provider.asked.size(), size_t(4 - stop));
    EXPECT_EQ(bench.evaluator.jobs.size(), size_t(4 - stop));
  }
}

TEST(Resume, EvaluatorParksAtEachAttempt) {
  for (int stop = 1; stop <= 3; ++stop) {
    Bench bench;
    script(bench);
    std::string title = "plan " + std::to_string(stop);
    Expected<Evaluation> later = bench.evaluator.byTitle.at(title);
    bench.evaluator.byTitle.at(title) =
        makeError(Error::Code::Parked, "job posted");
    EXPECT_EQ(bench.run().status, Status::Parked);
    bench.evaluator.byTitle.at(title) = later;
    bench.provider.asked.clear();
    RegionOutcome outcome = bench.run();
    EXPECT_EQ(outcome.plan.title, "plan 3");
    EXPECT_EQ(bench.provider.asked.size(), size_t(3 - stop))
        << "a recorded reply was asked for again";
  }
}

TEST(Resume, OtherRegionsGoOnWhileOneIsParked) {
  Bench bench;
  script(bench);
  RegionTask other = bench.task;
  other.spec.policy = Policy::Strict;
  other.spec.specHash = computeSpecHash(other.spec);
  bench.provider.answer = [&](const Conversation &c) -> Expected<Reply> {
    if (c.id.starts_with(bench.task.spec.specHash))
      return makeError(Error::Code::Parked, "waiting");
    return planReply("plan 3");
  };
  auto outcomes = bench.run({bench.task, other});
  ASSERT_TRUE(outcomes) << outcomes.error().message;
  EXPECT_EQ((*outcomes)[0].status, Status::Parked);
  EXPECT_EQ((*outcomes)[1].status, Status::Won);
}

/// Every file that a whole run leaves in a region, oldest first.
const char *files[] = {
    "1/prompt.json", "1/reply.json", "1/plan.json", "1/evaluation.json",
    "2/prompt.json", "2/reply.json", "2/plan.json", "2/evaluation.json",
    "3/prompt.json", "3/reply.json", "3/plan.json", "3/evaluation.json"};

TEST(Resume, KilledAfterEachFileGivesTheSameWinner) {
  for (size_t kept = 0; kept <= std::size(files); ++kept) {
    Bench bench;
    script(bench);
    ASSERT_EQ(bench.run().plan.title, "plan 3");
    std::string region =
        bench.options.runDirectory + "/regions/" + bench.task.spec.specHash;
    for (size_t i = kept; i < std::size(files); ++i)
      ASSERT_TRUE(fs::remove(region + "/attempt-" + files[i])) << files[i];
    // The store holds what a killed run may have stored on its way.
    bench.provider.asked.clear();
    bench.evaluator.jobs.clear();
    RegionOutcome outcome = bench.run();
    EXPECT_EQ(outcome.status, Status::Won) << outcome.reason;
    EXPECT_EQ(outcome.plan.title, "plan 3");
    EXPECT_FALSE(outcome.fromStore);
    for (size_t i = 0; i < std::size(files); ++i)
      EXPECT_TRUE(fs::exists(region + "/attempt-" + files[i]) || kept > i)
          << files[i];
    size_t replies = 0, evaluations = 0;
    for (size_t i = kept; i < std::size(files); ++i) {
      replies += std::string(files[i]).ends_with("reply.json");
      evaluations += std::string(files[i]).ends_with("evaluation.json");
    }
    EXPECT_EQ(bench.provider.asked.size(), replies);
    EXPECT_EQ(bench.evaluator.jobs.size(), evaluations);
  }
}

TEST(Resume, UsageIsBookedOnceAndEventsAreToldOnce) {
  Bench bench;
  script(bench);
  bench.options.budget.maxTokens = 450; // exactly three calls of 150
  bench.run();
  bench.run();
  std::string log = slurp(bench.options.runDirectory + "/events.jsonl");
  EXPECT_EQ(count(log, "\"event\":\"reply\""), 3);
  EXPECT_EQ(count(log, "\"event\":\"evaluated\""), 3);
  EXPECT_EQ(count(log, "\"event\":\"region_started\""), 1);
  EXPECT_EQ(count(log, "\"event\":\"run_resumed\""), 1);
  EXPECT_EQ(count(log, "\"event\":\"run_finished\",\"message\":\"\","
                       "\"inputTokens\":300"),
            2);
}

TEST(Resume, SecondsOfEarlierProcessesCount) {
  Bench bench;
  script(bench);
  bench.run();
  fs::remove(bench.attempt(3, "reply.json"));
  fs::remove(bench.attempt(3, "evaluation.json"));
  // As if the first process had worked for an hour.
  std::string path = bench.options.runDirectory + "/events.jsonl";
  std::string log = slurp(path);
  size_t at = log.find("\"event\":\"run_started\"");
  size_t line = log.rfind('\n', at) + 1;
  size_t hour = log.find('T', log.find("\"time\":\"", line)) - 10;
  log.replace(hour, 10, "2001-01-01");
  std::ofstream(path, std::ios::trunc) << log;
  bench.options.budget.maxSeconds = 3600;
  bench.provider.asked.clear();
  RegionOutcome outcome = bench.run();
  EXPECT_TRUE(outcome.budgetReached) << outcome.reason;
  EXPECT_EQ(outcome.plan.title, "plan 2");
  EXPECT_TRUE(bench.provider.asked.empty());
}

TEST(Resume, SourcesLieBesideThePlan) {
  Bench bench;
  script(bench);
  bench.run();
  EXPECT_EQ(slurp(bench.attempt(1, "main.cu")), samplePlan().modules[0].source);
  EXPECT_NE(slurp(bench.attempt(2, "prompt.json")).find("says compile_error"),
            std::string::npos);
}

TEST(Resume, OtherOptionsNeedAnotherRunDirectory) {
  Bench bench;
  script(bench);
  bench.run();
  bench.options.arch = "sm_100a";
  EXPECT_EQ(bench.run().reason,
            "run failed: run directory '" + bench.options.runDirectory +
                "' was made with arch = \"sm_90a\", not \"sm_100a\"; name "
                "another run-dir");
}

TEST(Resume, HalfWrittenFilesAreRemoved) {
  Bench bench;
  script(bench);
  bench.run();
  std::ofstream(bench.attempt(1, "main.cu.tmp4711")) << "half";
  std::ofstream(bench.attempt(1, "notes.tmp")) << "somebody's own";
  bench.run();
  EXPECT_FALSE(fs::exists(bench.attempt(1, "main.cu.tmp4711")));
  EXPECT_TRUE(fs::exists(bench.attempt(1, "notes.tmp")));
}

TEST(Resume, DamagedRecordIsNamed) {
  Bench bench;
  script(bench);
  bench.run();
  std::ofstream(bench.attempt(2, "reply.json")) << "{\"text\": ";
  std::string reason = bench.run().reason;
  EXPECT_NE(reason.find(bench.attempt(2, "reply.json")), std::string::npos)
      << reason;
}

} // namespace
