// An estimate asks nobody, leaves nothing behind and shows what would be sent.
#include "kernelclaw/Agent/Estimate.h"
#include "AgentBank.h"
#include "Fakes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace kclaw;

namespace {

class PricedProvider : public FakeProvider {
public:
  Usage bound(const Conversation &c) const override {
    size_t bytes = 0;
    for (const Message &message : c.messages)
      bytes += message.content.size();
    Usage usage{int64_t(bytes / 3 + 1), c.maxTokens, 0, 0};
    usage.dollars =
        1e-6 * double(usage.inputTokens) + 10e-6 * double(usage.outputTokens);
    return usage;
  }
};

struct Case : Bench {
  PricedProvider endpoint;
  CallHabits habits;
  std::vector<RegionTask> tasks{task, task};
  Case() {
    options.memorybank = folder / "bank";
    writeAgentBank(options.memorybank);
    tasks[1].spec.symbol = "second";
    tasks[1].spec.specHash = "5ec0nd";
    tasks[1].spec.bytes *= 3;
    tasks[1].spec.listing = "y = relu(x) # the second";
    habits.callsHigh = 1.5;
  }
  Estimate estimate() {
    auto found =
        estimateRun(tasks, endpoint, evaluator, store.get(), options, habits);
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(Estimate());
  }
};

TEST(Estimate, ARangeOfCallsTokensAndDollars) {
  Case bench;
  Estimate found = bench.estimate();
  ASSERT_EQ(found.regions.size(), 2u);
  EXPECT_EQ(found.regions[0].symbol, "second"); // the heavier one
  for (const RegionEstimate &region : found.regions) {
    EXPECT_EQ(region.callsLow, 2); // half of four attempts
    EXPECT_EQ(region.callsHigh, 6);
    EXPECT_EQ(region.low.outputTokens, 2 * 1000);
    EXPECT_EQ(region.high.outputTokens, 6 * 16384);
    EXPECT_NEAR(region.high.dollars,
                1e-6 * double(region.high.inputTokens) +
                    10e-6 * double(region.high.outputTokens),
                1e-9);
    EXPECT_LT(region.low.inputTokens, region.high.inputTokens);
  }
  EXPECT_TRUE(found.priced);
  EXPECT_EQ(found.callsHigh, 12);
  EXPECT_TRUE(bench.endpoint.asked.empty());
  EXPECT_TRUE(bench.evaluator.jobs.empty());
  EXPECT_FALSE(std::filesystem::exists(bench.options.runDirectory));
}

TEST(Estimate, CapsBoundTheUpperEnd) {
  Case bench;
  bench.options.budget.maxDollars = 0.5;
  Estimate found = bench.estimate();
  EXPECT_NEAR(found.high.dollars, 0.5, 1e-9);
  EXPECT_LT(found.low.dollars, 0.5);
}

TEST(Estimate, TheTextIsWhatWouldBeSent) {
  for (const char *strategy : {"greedy", "roles", "agent"}) {
    Case bench;
    bench.options.strategy = strategy;
    Estimate found = bench.estimate();
    EXPECT_EQ(found.textBytes, found.text.size());
    EXPECT_NE(found.text.find("the second"), std::string::npos) << strategy;
    // The run itself then asks the same first.
    ASSERT_TRUE(optimizeRegions({bench.tasks[1]}, bench.endpoint,
                                bench.evaluator, nullptr, bench.options));
    ASSERT_FALSE(bench.endpoint.asked.empty()) << strategy;
    for (const Message &message : bench.endpoint.asked[0].messages)
      EXPECT_NE(found.text.find(message.content), std::string::npos)
          << strategy << "\n"
          << message.content;
  }
}

TEST(Estimate, WhatTheStoreHasCostsNothing) {
  Case bench;
  StoreEntry entry;
  entry.won = true;
  entry.plan = samplePlan();
  entry.evaluation = judged(Outcome::Ok, 1.5);
  entry.reason = "1.5x";
  ASSERT_TRUE(bench.store->put(
      {"5ec0nd", "sm_90a", "torch", Evidence::Measured}, entry));
  Estimate found = bench.estimate();
  for (const RegionEstimate &region : found.regions)
    if (region.specHash == "5ec0nd") {
      EXPECT_EQ(region.callsHigh, 0);
      EXPECT_EQ(region.whyNothing, "from the store: 1.5x");
    }
  EXPECT_EQ(found.text.find("the second"), std::string::npos);
}

TEST(Estimate, TheTableNamesRegionsRangesAndWhatLeaves) {
  Case bench;
  std::string text = describe(bench.estimate(), bench.options);
  for (const char *piece :
       {"second", "in all: 4 to 12 calls", "what would leave this machine",
        "modelled", "never: weights", "no cap on tokens or dollars"})
    EXPECT_NE(text.find(piece), std::string::npos) << piece << "\n" << text;
}

/// One card for each architecture, with the numbers that prompts state.
TEST(EstimateData, RatesAreThoseOfTheCardsInTheBank) {
  using nlohmann::json;
  std::string bank = KCLAW_MEMORYBANK;
  size_t cards = 0;
  for (const auto &file :
       std::filesystem::directory_iterator(bank + "/hardware")) {
    std::ifstream text(file.path());
    json card = json::parse(text);
    auto data = loadEstimateData(bank + "/estimate.json", "greedy",
                                 card.at("arch").get<std::string>());
    ASSERT_TRUE(data) << data.error().message;
    auto value = [&](const char *name, double unit) {
      return unit * card.at("facts").at(name).at("value").get<double>();
    };
    const RooflineRates &rates = data->rates;
    EXPECT_DOUBLE_EQ(rates.bytesPerSecond, value("peak_gbps", 1e9)) << file;
    EXPECT_DOUBLE_EQ(rates.flopsPerSecond, value("fp32_tflops", 1e12)) << file;
    EXPECT_DOUBLE_EQ(rates.tf32FlopsPerSecond,
                     value("tf32_tensor_tflops", 1e12))
        << file;
    EXPECT_DOUBLE_EQ(rates.halfFlopsPerSecond, value("f16_tensor_tflops", 1e12))
        << file;
    ++cards;
  }
  EXPECT_GE(cards, 6u);
}

TEST(EstimateData, TheBanksFileAndWrongOnes) {
  std::string file = std::string(KCLAW_MEMORYBANK) + "/estimate.json";
  auto agent = loadEstimateData(file, "agent", "sm_80");
  ASSERT_TRUE(agent) << agent.error().message;
  EXPECT_GT(agent->habits.callsHigh, agent->habits.callsLow);
  EXPECT_EQ(agent->rates.bytesPerSecond, 2.039e12);
  auto other = loadEstimateData(file, "agent", "sm_75");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->rates.bytesPerSecond, RooflineRates().bytesPerSecond);
  TemporaryDirectory folder;
  std::ofstream(folder / "bad.json")
      << R"({"strategies": {"roles": {"calls": [3, 1]}}})";
  auto bad = loadEstimateData(folder / "bad.json", "roles", "sm_80");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("calls: expected [low, high]"),
            std::string::npos);
}

} // namespace
