// What the gate offers an attempt: not what its parent was made by, and what
// other regions taught.
#include "RoleScript.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

json::Json gateOf(const RolesBench &bench, int number) {
  auto text = readFile(bench.attempt(number, "gate.json"));
  return text ? json::Json::parse(*text, nullptr, false) : json::Json();
}

/// The row of `method` under `list`; null where there is none.
json::Json rowOf(const json::Json &gate, const char *list,
                 const std::string &method) {
  for (const json::Json &row : gate[list])
    if (row["method"] == method)
      return row;
  return {};
}

void threeAttempts(RolesBench &bench) {
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 3;
  bench.results = {{1, judged(Outcome::Ok, 1.2)},
                   {2, judged(Outcome::Ok, 1.5)},
                   {3, judged(Outcome::Ok, 2)}};
}

TEST(Retrieval, WhatMadeTheParentIsNotOfferedAgain) {
  RolesBench bench;
  threeAttempts(bench);
  bench.run();
  auto made = bench.record(2)["method"].get<std::string>();
  EXPECT_NE(bench.record(3)["method"], made);
  json::Json gate = gateOf(bench, 3);
  EXPECT_EQ(gate["parent"], 2);
  EXPECT_TRUE(rowOf(gate, "allowed", made).is_null());
  EXPECT_EQ(rowOf(gate, "refused", made)["why"],
            "it made attempt 2, from which this starts");
}

TEST(Retrieval, UnlessItsCardSaysThatItMayBeRepeated) {
  RolesBench bench;
  threeAttempts(bench);
  for (const char *method : {"vector_loads", "work_per_thread"}) {
    std::string path =
        bench.options.memorybank + "/methods/" + method + "/method.json";
    auto text = readFile(path);
    ASSERT_TRUE(text);
    json::Json card = json::Json::parse(*text);
    card["repeatable"] = true;
    std::ofstream(path) << card.dump();
  }
  bench.run();
  EXPECT_FALSE(rowOf(gateOf(bench, 3), "allowed",
                     bench.record(2)["method"].get<std::string>())
                   .is_null());
}

TEST(Retrieval, WhatFailedHereSaysHow) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.repairCap = 1;
  bench.options.budget.maxAttempts = 4;
  bench.results = {{1, judged(Outcome::Ok, 1.2)}};
  bench.run();
  EXPECT_EQ(rowOf(gateOf(bench, 4), "refused",
                  bench.record(2)["method"].get<std::string>())["why"],
            "it was applied to attempt 1 and failed (mismatch, attempt 3): "
            "only a repair of that attempt may go on with it");
}

TEST(Retrieval, OnlyOtherRegionsAreToldAsExperienceAndAChainIsOneRow) {
  RolesBench first;
  threeAttempts(first);
  first.run();
  const std::string told = "at other regions like this one";
  auto asksOf = [](const RolesBench &bench) {
    std::string text;
    for (const Conversation &each : bench.provider.asked)
      if (each.role == "planner")
        text += each.messages[2].content;
    return text;
  };
  EXPECT_EQ(asksOf(first).find(told), std::string::npos)
      << "its own attempts stand in the history";
  auto rows = first.store->experiences({});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3u);
  // The same at another region: once failed and mended, and nothing else.
  Experience mended = (*rows)[1];
  mended.specHash = "elsewhere";
  mended.id = "other/elsewhere/3";
  mended.mends = "other/elsewhere/2";
  Experience failed = mended;
  failed.id = mended.mends;
  failed.mends.clear();
  failed.outcome = Outcome::Mismatch;
  failed.gain = 0;
  RolesBench second;
  threeAttempts(second);
  ASSERT_TRUE(second.store->learn(failed));
  ASSERT_TRUE(second.store->learn(mended));
  second.run();
  EXPECT_NE(asksOf(second).find(told), std::string::npos);
  json::Json row = rowOf(gateOf(second, 2), "allowed", mended.method);
  EXPECT_NEAR(row["elsewhereRows"].get<double>(), 1, 0.05) << row.dump();
  EXPECT_GT(row["elsewhereGain"].get<double>(), 1);
}

TEST(Retrieval, ARepairSaysWhatItMends) {
  RolesBench bench;
  bench.options.seeds = 1;
  bench.options.budget.maxAttempts = 3;
  bench.results = {{1, judged(Outcome::Ok, 1.2)},
                   {3, judged(Outcome::Ok, 1.8)}};
  bench.run();
  auto rows = bench.store->experiences({});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[1].mends, "");
  EXPECT_EQ((*rows)[2].mends, (*rows)[1].id);
}

} // namespace
