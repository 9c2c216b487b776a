// A whole run spends no more than its budget, says where it went, and leaves
// regions alone that have nothing to gain.
#include "Fakes.h"

#include "Agent/RegionOrder.h"
#include "Support/Files.h"
#include "Support/Json.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/resource.h>
#include <thread>

using namespace kclaw;
using json::Json;
using Status = RegionOutcome::Status;

namespace {

std::vector<RegionTask> regions(const Bench &bench, int count) {
  std::vector<RegionTask> tasks;
  for (int i = 0; i < count; ++i) {
    tasks.push_back(bench.task);
    tasks.back().spec.symbol = "region" + std::to_string(i);
    tasks.back().spec.specHash = "hash" + std::to_string(i);
    tasks.back().spec.bytes *= 1 + i;
  }
  return tasks;
}

Json read(const std::string &path) {
  auto text = readFile(path);
  EXPECT_TRUE(text) << path;
  Json document = Json::parse(text.value_or(""), nullptr, false);
  EXPECT_TRUE(document.is_object()) << path;
  return document;
}

/// As a real endpoint: bounds above what is used, and answers take time.
class Endpoint : public FakeProvider {
public:
  Endpoint() {
    most = {400, 600, 0.02, 0};
    answer = [](const Conversation &c) {
      std::this_thread::sleep_for(std::chrono::milliseconds(c.id.size() % 5));
      Reply reply = planReply("plan " + c.id);
      reply.usage = {100 + int64_t(c.id.back()), 200, 0.01, 0.5, 40};
      reply.model = "model-1";
      return reply;
    };
  }
};

TEST(BudgetRun, ManyCallsAtOnceStayBelowTheCap) {
  for (int jobs : {1, 8}) {
    Bench bench;
    Endpoint endpoint;
    bench.options.jobs = jobs;
    bench.options.budget.maxTokens = 9'000;
    auto tasks = regions(bench, 30);
    auto outcomes = optimizeRegions(tasks, endpoint, bench.evaluator,
                                    bench.store.get(), bench.options);
    ASSERT_TRUE(outcomes) << outcomes.error().message;
    Json summary = read(bench.options.runDirectory + "/summary.json");
    Json total = summary["total"];
    int64_t spent = total["inputTokens"].get<int64_t>() +
                    total["outputTokens"].get<int64_t>();
    EXPECT_LE(spent, 9'000);
    EXPECT_GT(spent, 9'000 - 1'000) << "a call's bound was left over";
    EXPECT_EQ(total["calls"], endpoint.asked.size());
    EXPECT_EQ(summary["status"], "budget");
    EXPECT_EQ(summary["exitCode"], 3);
    EXPECT_EQ(summary["regions"].size(), 30u);
    for (const RegionOutcome &outcome : *outcomes)
      EXPECT_NE(outcome.status, Status::Parked);
  }
}

TEST(BudgetRun, TheEndIsTheSameHoweverManyAreAskedAtOnce) {
  std::string ends[2];
  for (int jobs : {1, 8}) {
    Bench bench;
    Endpoint endpoint;
    bench.options.jobs = jobs;
    bench.options.budget.maxTokens = 20'000;
    auto tasks = regions(bench, 12);
    auto outcomes = optimizeRegions(tasks, endpoint, bench.evaluator,
                                    bench.store.get(), bench.options);
    ASSERT_TRUE(outcomes) << outcomes.error().message;
    Json summary = read(bench.options.runDirectory + "/summary.json");
    summary.erase("wallSeconds");
    ends[jobs == 8] = summary.dump(1);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(BudgetRun, TheSummaryAddsUp) {
  Bench bench;
  Endpoint endpoint;
  bench.evaluator.byTitle.emplace("plan hash1-2", judged(Outcome::Ok, 1.5));
  bench.options.budget.maxAttempts = 2;
  auto tasks = regions(bench, 3);
  tasks.push_back(tasks[1]);
  tasks.back().spec.symbol = "twin";
  for (int run = 0; run < 2; ++run) { // the second only reads the record
    auto outcomes = optimizeRegions(tasks, endpoint, bench.evaluator,
                                    bench.store.get(), bench.options);
    ASSERT_TRUE(outcomes) << outcomes.error().message;
    Json summary = read(bench.options.runDirectory + "/summary.json");
    EXPECT_EQ(summary["status"], "finished");
    EXPECT_EQ(summary["total"]["calls"], 6);
    EXPECT_EQ(summary["total"]["cachedInputTokens"], 6 * 40);
    EXPECT_EQ(summary["total"]["gpuSeconds"], 60);
    EXPECT_EQ(summary["roles"]["generator"]["calls"], 6);
    EXPECT_FALSE(summary["total"].contains("lost"));
    ASSERT_EQ(summary["regions"].size(), 3u);
    int64_t input = 0, output = 0;
    for (const Json &region : summary["regions"]) {
      bool twins = region["specHash"] == "hash1";
      EXPECT_EQ(region["symbols"].size(), twins ? 2u : 1u);
      EXPECT_EQ(region["verdict"], twins ? "won" : "kept");
      EXPECT_EQ(region["attempts"].size(), 2u);
      EXPECT_EQ(region["attempts"][0]["models"][0], "model-1");
      for (const Json &attempt : region["attempts"]) {
        input += attempt["inputTokens"].get<int64_t>();
        output += attempt["outputTokens"].get<int64_t>();
      }
    }
    EXPECT_EQ(summary["total"]["inputTokens"], input);
    EXPECT_EQ(summary["total"]["outputTokens"], output);
  }
  EXPECT_EQ(endpoint.asked.size(), 6u);
}

TEST(BudgetRun, LostCallsAreBookedByTheirBound) {
  Bench bench;
  Endpoint endpoint;
  bench.options.budget.maxAttempts = 1;
  auto run = [&] {
    return optimizeRegions({bench.task}, endpoint, bench.evaluator,
                           bench.store.get(), bench.options);
  };
  ASSERT_TRUE(run());
  // As a kill between question and answer leaves it.
  std::string log = bench.options.runDirectory + "/events.jsonl";
  std::string text = *readFile(log);
  size_t answered = text.find("\"event\":\"reply\"");
  text.resize(text.rfind('\n', answered) + 1);
  ASSERT_TRUE(writeFileAtomically(log, text));
  for (const char *file : {"reply.json", "plan.json", "evaluation.json"})
    ASSERT_TRUE(std::filesystem::remove(bench.attempt(1, file)));
  ASSERT_TRUE(run());
  ASSERT_TRUE(run()); // told once
  Json summary = read(bench.options.runDirectory + "/summary.json");
  EXPECT_EQ(summary["total"]["calls"], 1);
  EXPECT_EQ(summary["total"]["lost"]["calls"], 1);
  EXPECT_EQ(summary["total"]["lost"]["tokens"], 1000);
  EXPECT_EQ(summary["total"]["lost"]["dollars"], 0.02);
  EXPECT_EQ(endpoint.asked.size(), 2u);
}

TEST(BudgetRun, TheHeaviestRegionIsAskedFirst) {
  Bench bench;
  Endpoint endpoint;
  bench.options.budget.maxAttempts = 1;
  auto tasks = regions(bench, 4); // hash3 moves the most bytes
  ASSERT_TRUE(optimizeRegions(tasks, endpoint, bench.evaluator,
                              bench.store.get(), bench.options));
  ASSERT_EQ(endpoint.asked.size(), 4u);
  EXPECT_EQ(endpoint.asked[0].id, "hash3-1");
  EXPECT_EQ(endpoint.asked[1].id, "hash2-1");
}

TEST(RegionOrder, ShareTimesHeadroom) {
  Bench bench;
  auto tasks = regions(bench, 3);
  for (RegionTask &task : tasks)
    task.spec.bytes = 48e6; // 10 us at the default rates
  tasks.push_back(tasks[0]);
  auto order =
      orderRegions(tasks, {}, {{"hash0", 20}, {"hash1", 50}, {"hash2", 10.1}});
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(tasks[order[0].task].spec.specHash, "hash1"); // 0.5 x 5
  EXPECT_NEAR(order[0].headroom, 5, 1e-9);
  EXPECT_EQ(order[1].uses, 2); // 0.4 x 2
  EXPECT_NEAR(order[1].timeShare, 40 / 100.1, 1e-9);
  EXPECT_TRUE(order[2].atRoofline(1.02)); // 1.01
  EXPECT_FALSE(order[1].atRoofline(1.02));
  EXPECT_NEAR(order[0].weight + order[1].weight + order[2].weight, 1, 1e-9);
}

TEST(RegionOrder, ModelledTimesAreNeverAtTheRoofline) {
  Bench bench;
  for (const RegionWeight &weight : orderRegions(regions(bench, 2), {}, {})) {
    EXPECT_FALSE(weight.measured);
    EXPECT_FALSE(weight.atRoofline(1e9));
    EXPECT_GE(weight.headroom, 1);
  }
}

TEST(BudgetRun, AStockAtTheRooflineIsNotSent) {
  Bench bench;
  Endpoint endpoint;
  bench.task.spec.bytes = 48e6; // 10 us
  StoreEntry kept;
  kept.reason = "no skeleton wins";
  kept.provenance = R"({"provider": "expert", "search": "expert",
                        "stockMicroseconds": 10.1})";
  ASSERT_TRUE(bench.store->put(
      {bench.task.spec.specHash, "sm_90a", "torch", Evidence::Measured}, kept));
  auto outcomes = optimizeRegions({bench.task}, endpoint, bench.evaluator,
                                  bench.store.get(), bench.options);
  ASSERT_TRUE(outcomes);
  EXPECT_TRUE(endpoint.asked.empty());
  EXPECT_EQ((*outcomes)[0].reason,
            "stock is at the roofline: measured 10.10 us, no kernel can take "
            "less than 10.00 us; nothing was asked");
}

TEST(BudgetRun, SearchesThatKeepStockRememberItsTime) {
  Bench bench;
  Endpoint endpoint;
  bench.options.searchId = "x";
  bench.options.budget.maxAttempts = 1;
  ASSERT_TRUE(optimizeRegions({bench.task}, endpoint, bench.evaluator,
                              bench.store.get(), bench.options));
  auto entry = bench.store->find(
      {bench.task.spec.specHash, "sm_90a", "torch", Evidence::Measured});
  ASSERT_TRUE(entry && *entry);
  EXPECT_NE((*entry)->provenance.find("\"stockMicroseconds\":21"),
            std::string::npos)
      << (*entry)->provenance;
}

TEST(Cancelled, TheRunEndsSoonAndGoesOnLater) {
  for (int jobs : {1, 4}) {
    Bench bench;
    Endpoint endpoint;
    std::atomic<bool> cancelled = false;
    bench.options.cancelled = &cancelled;
    bench.options.jobs = jobs;
    auto tasks = regions(bench, 6);
    auto answer = endpoint.answer;
    endpoint.answer = [&](const Conversation &c) -> Expected<Reply> {
      if (c.id.ends_with("-2")) {
        cancelled = true; // while the call is under way
        return makeError(Error::Code::Unavailable, "cancelled");
      }
      return answer(c);
    };
    auto outcomes = optimizeRegions(tasks, endpoint, bench.evaluator,
                                    bench.store.get(), bench.options);
    ASSERT_FALSE(outcomes);
    EXPECT_TRUE(outcomes.error().message.starts_with("interrupted"))
        << outcomes.error().message;
    Json summary = read(bench.options.runDirectory + "/summary.json");
    EXPECT_EQ(summary["status"], "interrupted");
    EXPECT_GE(summary["total"]["lost"]["calls"], 1); // it may be on the bill

    cancelled = false;
    endpoint.answer = answer;
    outcomes = optimizeRegions(tasks, endpoint, bench.evaluator,
                               bench.store.get(), bench.options);
    ASSERT_TRUE(outcomes) << outcomes.error().message;
    summary = read(bench.options.runDirectory + "/summary.json");
    EXPECT_EQ(summary["status"], "finished");
    EXPECT_EQ(summary["total"]["calls"], 24);
  }
}

TEST(Cancelled, NoJobIsBegunAfterIt) {
  class Interrupting : public FakeEvaluator {
  public:
    Expected<Evaluation> evaluate(const Job &job) override {
      if (jobs.size() == 1)
        cancelled = true; // while this one, the second, is under way
      return FakeEvaluator::evaluate(job);
    }
    std::atomic<bool> cancelled = false;
  };
  for (int jobs : {1, 4}) {
    Bench bench;
    Endpoint endpoint;
    Interrupting evaluator;
    bench.options.cancelled = &evaluator.cancelled;
    bench.options.jobs = jobs;
    auto tasks = regions(bench, 6);
    auto outcomes = optimizeRegions(tasks, endpoint, evaluator,
                                    bench.store.get(), bench.options);
    ASSERT_FALSE(outcomes);
    EXPECT_TRUE(outcomes.error().message.starts_with("interrupted"));
    EXPECT_EQ(evaluator.jobs.size(), 2u) << jobs; // it was waited for
  }
}

/// Files of this process cannot grow beyond `bytes` while it lives.
class FullDisk {
public:
  explicit FullDisk(rlim_t bytes) : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }

private:
  rlimit before{};
  void (*handler)(int);
};

TEST(FullDisk, AnErrorThatNamesTheFileAndNoLostWinner) {
  Bench bench;
  Endpoint endpoint;
  bench.evaluator.byTitle.emplace("plan " + bench.task.spec.specHash + "-1",
                                  judged(Outcome::Ok, 1.5));
  std::optional<FullDisk> full;
  auto answer = endpoint.answer;
  endpoint.answer = [&](const Conversation &c) {
    if (c.attempt == 2)
      full.emplace(1);
    return answer(c);
  };
  auto run = [&] {
    auto outcomes = optimizeRegions({bench.task}, endpoint, bench.evaluator,
                                    bench.store.get(), bench.options);
    full.reset();
    return outcomes;
  };
  auto failed = run();
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("File too large"), std::string::npos)
      << failed.error().message;
  EXPECT_NE(failed.error().message.find(bench.options.runDirectory),
            std::string::npos)
      << failed.error().message;
  auto entry = bench.store->find(
      {bench.task.spec.specHash, "sm_90a", "torch", Evidence::Measured});
  ASSERT_TRUE(entry && *entry);
  EXPECT_TRUE((*entry)->won);

  endpoint.answer = answer; // with room again it goes on
  auto outcomes = run();
  ASSERT_TRUE(outcomes) << outcomes.error().message;
  EXPECT_EQ((*outcomes)[0].status, Status::Won);
  EXPECT_FALSE((*outcomes)[0].fromStore);
}

TEST(TwoRuns, TheSecondIsRefusedWithThePidOfTheFirst) {
  Bench bench;
  Endpoint endpoint;
  std::string second;
  auto answer = endpoint.answer;
  endpoint.answer = [&](const Conversation &c) {
    if (second.empty()) {
      Endpoint other;
      second = optimizeRegions({bench.task}, other, bench.evaluator,
                               bench.store.get(), bench.options)
                   .error()
                   .message;
      EXPECT_TRUE(other.asked.empty());
    }
    return answer(c);
  };
  ASSERT_TRUE(optimizeRegions({bench.task}, endpoint, bench.evaluator,
                              bench.store.get(), bench.options));
  EXPECT_TRUE(second.starts_with("another process (pid " +
                                 std::to_string(getpid()) + ") works in"))
      << second;
}

} // namespace
