// Which region makes the next attempt: by what it is expected to save for what
// it costs. The budget of one that yields nothing goes on to the others, and
// neither a kill nor the number of threads changes the course.
#include "Fakes.h"

#include "Agent/Prospect.h"
#include "Support/Files.h"
#include "Support/Json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

using namespace kclaw;
using json::Json;

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

Evaluation judgedOf(Outcome outcome, double speedup, double stock,
                    double bound) {
  Evaluation evaluation = judged(outcome, speedup);
  evaluation.stockTime.medianMicroseconds = stock;
  double time = speedup > 0 ? stock / speedup : 0;
  evaluation.time.medianMicroseconds = time;
  evaluation.copyTime.medianMicroseconds = bound;
  evaluation.profile.roofline.headroom = time / bound;
  return evaluation;
}

AttemptRecord record(int number, double speedup, bool promoted) {
  AttemptRecord record;
  record.number = number;
  record.evaluation =
      judgedOf(speedup > 0 ? Outcome::Ok : Outcome::Mismatch, speedup, 100, 20);
  record.promoted = promoted;
  record.usage = {600, 400, 0.5, 1};
  return record;
}

RegionWeight weightOf(int uses, double stock, double bound) {
  RegionWeight weight;
  weight.uses = uses;
  weight.stockMicroseconds = stock;
  weight.boundMicroseconds = bound;
  return weight;
}

TEST(PeakFlops, WhatThePolicyAllowsAndTensorCoresCanDo) {
  KernelSpec spec;
  RooflineRates rates;
  spec.arguments.resize(2);
  spec.family = "pointwise";
  EXPECT_EQ(peakFlops(spec, rates), rates.flopsPerSecond);
  spec.family = "contraction";
  EXPECT_EQ(peakFlops(spec, rates), rates.halfFlopsPerSecond / 3);
  spec.policy = Policy::Strict;
  EXPECT_EQ(peakFlops(spec, rates), rates.flopsPerSecond);
  spec.policy = Policy::Tf32;
  EXPECT_EQ(peakFlops(spec, rates), rates.tf32FlopsPerSecond);
  spec.policy = Policy::Torch;
  spec.arguments[0].dtype = DType::f64;
  EXPECT_EQ(peakFlops(spec, rates), rates.flopsPerSecond);
  spec.arguments[0].dtype = spec.arguments[1].dtype = DType::bf16;
  EXPECT_EQ(peakFlops(spec, rates), rates.halfFlopsPerSecond);
}

TEST(Prospect, WithoutAttemptsAllOfItIsExpected) {
  EXPECT_DOUBLE_EQ(expectedSaving(Tree(), weightOf(3, 50, 10)), 120);
  EXPECT_DOUBLE_EQ(expectedSaving(Tree(), weightOf(3, 9, 10)), 0);
}

TEST(Prospect, AttemptsInVainTellAgainstIt) {
  Tree tree;
  tree.add(record(1, 0, false));
  // What was measured takes the place of what was modelled: 100 - 10.
  EXPECT_DOUBLE_EQ(expectedSaving(tree, weightOf(2, 50, 10)), 2 * 90 * 0.5 / 2);
  tree.add(record(2, 0, false));
  EXPECT_DOUBLE_EQ(expectedSaving(tree, weightOf(2, 50, 10)),
                   2 * 90 * 0.25 / 3);
}

TEST(Prospect, AGainCountsByWhatItTookAway) {
  Tree tree;
  tree.add(record(1, 2, true)); // 100 -> 50 of a bound of 20: 5/8 of the rest
  double part = (1 + 5.0 / 8) / 2;
  EXPECT_NEAR(expectedSaving(tree, weightOf(1, 100, 20)), 30 * part, 1e-9);
  tree.add(record(2, 1.5, false));
  EXPECT_NEAR(expectedSaving(tree, weightOf(1, 100, 20)), 30 * part / 4, 1e-9);
}

TEST(Prospect, ACostIsTheRegionsOwnWithTheMeanOfAllAsOneMore) {
  Tree dear, cheap;
  dear.add(record(1, 2, true));
  dear.add(record(2, 0, false));
  cheap.add(record(1, 2, true)); // below: an attempt that asked nothing
  AttemptRecord expert = record(2, 2, false);
  expert.usage = {};
  cheap.add(expert);
  CostSum all, own;
  EXPECT_EQ(own.expected(all).tokens, 0);
  all.add(dear);
  EXPECT_EQ(own.expected(all).tokens, 1000);
  own.add(cheap);
  EXPECT_EQ(own.attempts, 1);
  all.sum.tokens = 4000; // of two
  EXPECT_EQ(own.expected(all).tokens, 1500);
}

Prospect prospect(size_t region, double saving, double tokens,
                  int attempts = 4) {
  Prospect prospect;
  prospect.region = region;
  prospect.saving = saving;
  prospect.cost = {tokens, 0};
  prospect.attemptsLeft = attempts;
  return prospect;
}

std::vector<size_t> chosen(const std::vector<Prospect> &prospects,
                           double tokens) {
  std::vector<size_t> regions;
  double sum = 0;
  for (auto [region, part] :
       planRound(prospects, {tokens, endless}, CostUnit::Tokens)) {
    regions.push_back(region);
    sum += part;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  return regions;
}

TEST(Round, RegionsWorthFarLessWaitWhileTheBudgetCannotServeAll) {
  std::vector<Prospect> all{prospect(0, 10, 100), prospect(1, 40, 100),
                            prospect(2, 30, 100)};
  EXPECT_EQ(chosen(all, 1199), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(chosen(all, 1200), (std::vector<size_t>{1, 2, 0}));
  EXPECT_EQ(chosen(all, 150), (std::vector<size_t>{1})); // pays for one
  EXPECT_EQ(chosen(all, 10), (std::vector<size_t>{1}));
}

TEST(Round, TheIndexIsByCost) {
  EXPECT_EQ(chosen({prospect(0, 40, 1000), prospect(1, 10, 100)}, 2000),
            (std::vector<size_t>{1}));
}

TEST(Round, WhoseShareWasTooSmallGetsAllOnceItIsTheBest) {
  std::vector<Prospect> all{prospect(0, 40, 100), prospect(1, 39, 100),
                            prospect(2, 38, 100)};
  all[1].needsAll = true;
  EXPECT_EQ(chosen(all, 300), (std::vector<size_t>{0, 2}));
  all[1].saving = 41;
  EXPECT_EQ(chosen(all, 300), (std::vector<size_t>{1}));
}

/// Three regions that promise the same; of the first nothing becomes faster.
/// The others gain a bit with each attempt.
class Climbing : public Evaluator {
public:
  Expected<Evaluation> evaluate(const Job &job) override {
    int attempt = job.id.back() - '0';
    bool plateau = job.spec.specHash == "hash0";
    Evaluation evaluation = judgedOf(Outcome::Ok, 0.9, 100, 10);
    if (!plateau)
      evaluation = judgedOf(Outcome::Ok, 1 + 0.5 * attempt, 100, 10);
    evaluation.jobId = job.id;
    return evaluation;
  }
  int parallelJobs() const override { return 3; }
};

std::vector<RegionTask> regions(const Bench &bench) {
  std::vector<RegionTask> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.push_back(bench.task);
    tasks.back().spec.symbol = "region" + std::to_string(i);
    tasks.back().spec.specHash = "hash" + std::to_string(i);
  }
  return tasks;
}

class PlateauRun {
public:
  explicit PlateauRun(int jobs, int64_t maxTokens = 1'500) {
    bench.options.jobs = jobs;
    bench.options.budget.maxAttempts = 8;
    bench.options.budget.maxTokens = maxTokens;
    bench.provider.most = {100, 50, 0.25, 0};
  }

  std::vector<RegionOutcome> go() {
    auto outcomes = optimizeRegions(regions(bench), bench.provider, evaluator,
                                    bench.store.get(), bench.options);
    EXPECT_TRUE(outcomes) << outcomes.error().message;
    return outcomes.value_or(std::vector<RegionOutcome>());
  }
  int calls(const std::string &hash) const {
    return int(
        std::ranges::count_if(bench.provider.asked, [&](const Conversation &c) {
          return c.id.starts_with(hash);
        }));
  }
  /// All but times, which differ.
  std::string summary() const {
    auto text = readFile(bench.options.runDirectory + "/summary.json");
    Json summary = Json::parse(text.value_or(""), nullptr, false);
    summary.erase("wallSeconds");
    return summary.dump(1);
  }
  /// The rounds on record.
  std::vector<std::string> rounds() const {
    auto text = readFile(bench.options.runDirectory + "/events.jsonl");
    std::vector<std::string> found;
    std::istringstream lines(text.value_or(""));
    for (std::string line; std::getline(lines, line);) {
      Json event = Json::parse(line, nullptr, false);
      if (event["event"] == "round_started")
        found.push_back(event["regions"].dump());
    }
    return found;
  }

  Bench bench;
  Climbing evaluator;
};

TEST(Search, TheBudgetOfAPlateauGoesToTheOthers) {
  PlateauRun run(1);
  auto outcomes = run.go();
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(run.bench.provider.asked.size(), 10u); // all that it pays for
  EXPECT_LE(run.calls("hash0"), 2);
  EXPECT_GE(run.calls("hash1"), 4);
  EXPECT_GE(run.calls("hash2"), 4);
  EXPECT_TRUE(outcomes[0].budgetReached);
  EXPECT_NE(outcomes[0].reason.find("rounds went to regions that were expected "
                                    "to gain more: at last "),
            std::string::npos)
      << outcomes[0].reason;
  EXPECT_NE(outcomes[0].reason.find(" us for $1, here "), std::string::npos)
      << outcomes[0].reason;
}

TEST(Search, WithoutACapNoRegionIsEndedEarlyButTheOrderFollowsTheGain) {
  PlateauRun run(1, 0);
  run.bench.options.budget.maxAttempts = 4;
  auto outcomes = run.go();
  EXPECT_EQ(run.bench.provider.asked.size(), 12u);
  for (const RegionOutcome &outcome : outcomes)
    EXPECT_FALSE(outcome.budgetReached);
  EXPECT_TRUE(run.rounds().empty());
  std::vector<std::string> last;
  for (const Conversation &conversation : run.bench.provider.asked)
    last.push_back(conversation.id);
  // The plateau's later attempts come when the others' are used up.
  ASSERT_EQ(last.size(), 12u);
  EXPECT_EQ(last[10], "hash0-3");
  EXPECT_EQ(last[11], "hash0-4");
}

TEST(Search, TheCourseIsTheSameHoweverManyAreAskedAtOnce) {
  PlateauRun one(1), three(3);
  one.go();
  three.go();
  EXPECT_EQ(one.rounds(), three.rounds());
  EXPECT_EQ(one.summary(), three.summary());
  EXPECT_GT(one.rounds().size(), 3u);
}

bool tells(const std::string &log, const char *event, const std::string &hash,
           int attempt) {
  std::istringstream stream(log);
  for (std::string line; std::getline(stream, line);) {
    Json record = Json::parse(line, nullptr, false);
    if (record["event"] == event && record["specHash"] == hash &&
        record["attempt"] == attempt)
      return true;
  }
  return false;
}

/// As a kill after `lines` events leaves a run of one thread: no call is under
/// way, which would be booked and asked again.
void cutAfter(Bench &bench, size_t lines) {
  std::string run = bench.options.runDirectory, log = run + "/events.jsonl";
  std::istringstream whole(readFile(log).value_or(""));
  std::string kept, line;
  for (size_t i = 0; i < lines && std::getline(whole, line); ++i)
    kept += line + "\n";
  if (line.find("call_started") != std::string::npos)
    kept.resize(kept.size() - line.size() - 1);
  ASSERT_TRUE(writeFileAtomically(log, kept));
  for (const char *hash : {"hash0", "hash1", "hash2"})
    for (int attempt = 1; attempt <= 8; ++attempt) {
      std::string folder =
          run + "/regions/" + hash + "/attempt-" + std::to_string(attempt);
      if (!tells(kept, "reply", hash, attempt))
        std::filesystem::remove_all(folder);
      else if (!tells(kept, "evaluated", hash, attempt))
        for (const char *file : {"/evaluation.json", "/attempt.json"})
          std::filesystem::remove(folder + file);
    }
  bench.store = *openStore(bench.folder / "another-store");
  bench.provider.asked.clear();
}

TEST(Search, TheCourseIsTheSameAfterAKillAnywhere) {
  PlateauRun whole(1);
  whole.go();
  auto text = readFile(whole.bench.options.runDirectory + "/events.jsonl");
  size_t lines = size_t(std::ranges::count(*text, '\n'));
  for (size_t kept = 5; kept < lines; kept += 8) {
    PlateauRun run(1);
    run.go();
    cutAfter(run.bench, kept);
    run.bench.options.jobs = kept % 16 < 8 ? 1 : 3;
    run.go();
    EXPECT_EQ(run.rounds(), whole.rounds()) << kept;
    EXPECT_EQ(run.summary(), whole.summary()) << kept;
  }
}

TEST(Search, AShareThatEndsInTheMiddleOfAnAttemptIsNoEnd) {
  // Two calls an attempt: a first answer that cannot be read. Shares of the
  // last rounds pay for one of them.
  for (int jobs : {1, 3}) {
    PlateauRun run(jobs, 1'950);
    run.bench.provider.answer = [](const Conversation &c) {
      bool again = std::ranges::count(c.id, '-') > 1;
      Reply reply = again ? planReply("plan " + c.id) : Reply{.text = "hm"};
      reply.finishReason = "stop";
      reply.usage = {100, 50, 0.25, 1};
      return reply;
    };
    auto outcomes = run.go();
    EXPECT_EQ(run.bench.provider.asked.size(), 13u) << jobs;
    std::set<std::string> ids;
    for (const Conversation &conversation : run.bench.provider.asked)
      ids.insert(conversation.id);
    EXPECT_EQ(ids.size(), 13u) << "something was asked twice";
    EXPECT_EQ(outcomes[1].status, RegionOutcome::Status::Won);
    EXPECT_EQ(outcomes[2].status, RegionOutcome::Status::Won);
  }
}

} // namespace
