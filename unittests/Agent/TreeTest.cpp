// The tree of attempts: beam, chains of repairs, gains outside the noise.
#include "Agent/Tree.h"

#include "Fakes.h"
#include "Support/Files.h"
#include "Support/Json.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

AttemptRecord record(int number, Outcome outcome, double speedup = 0,
                     Phase phase = Phase::Seed, int parent = 0) {
  AttemptRecord made;
  made.number = number;
  made.plan = samplePlan();
  made.evaluation = judged(outcome, speedup);
  made.evaluation.speedupInterval = {};
  made.evaluation.incumbentInterval = {};
  made.decision.phase = phase;
  made.decision.parent = parent;
  made.decision.method = phase == Phase::Seed ? "seed" : "vector_loads";
  return made;
}

std::vector<int> numbers(const std::vector<const AttemptRecord *> &records) {
  std::vector<int> list;
  for (const AttemptRecord *each : records)
    list.push_back(each->number);
  return list;
}

TEST(Tree, TheBeamHasTheFastestRightOnes) {
  Tree tree;
  tree.add(record(1, Outcome::Ok, 1.2));
  tree.add(record(2, Outcome::Mismatch));
  tree.add(record(3, Outcome::Ok, 2));
  tree.add(record(4, Outcome::Ok, 0.5));
  EXPECT_EQ(numbers(tree.beam(2)), (std::vector{3, 1}));
  EXPECT_EQ(numbers(tree.beam(9)), (std::vector{3, 1, 4}));
}

TEST(Tree, AChainGoesBackToTheFirstFailure) {
  Tree tree;
  tree.add(record(1, Outcome::Ok, 1.2));
  tree.add(record(2, Outcome::Mismatch, 0, Phase::Optimise, 1));
  tree.add(record(3, Outcome::Fault, 0, Phase::Repair, 2));
  const AttemptRecord &last =
      tree.add(record(4, Outcome::CompileError, 0, Phase::Repair, 3));
  EXPECT_EQ(numbers(tree.chain(last)), (std::vector{2, 3, 4}));
  EXPECT_EQ(tree.fruitlessMethods(1), std::vector<std::string>{"vector_loads"});
  // Mended in the end, and faster than what it started from.
  const AttemptRecord &mended =
      tree.add(record(5, Outcome::Ok, 1.8, Phase::Repair, 4));
  EXPECT_TRUE(tree.fruitlessMethods(1).empty());
  EXPECT_NEAR(mended.gain, 1.5, 1e-9);
  EXPECT_NEAR(mended.measured.at("time"), 1 / 1.5, 1e-9);
}

TEST(Tree, BetterIsOutsideTheNoise) {
  Evaluation old = judged(Outcome::Ok, 1.5), now = judged(Outcome::Ok, 1.55);
  old.speedupInterval = {1.45, 1.55, 0.95, 1};
  now.incumbentInterval = old.incumbentInterval = {};
  now.speedupInterval = {1.48, 1.62, 0.95, 1};
  EXPECT_FALSE(isBetter(now, old));
  now.speedupInterval = {1.52, 1.58, 0.95, 1};
  EXPECT_TRUE(isBetter(now, old));
  now.incumbentInterval = {0.98, 1.1, 0.95, 1}; // side by side counts more
  EXPECT_FALSE(isBetter(now, old));
  now.incumbentInterval = {1.01, 1.1, 0.95, 1};
  EXPECT_TRUE(isBetter(now, old));
  now.evidence = Evidence::Simulated;
  EXPECT_FALSE(isBetter(now, old));
  EXPECT_TRUE(isBetter(old, now));
}

TEST(Tree, TheRecordHasTheMembersOfItsSchema) {
  auto text = readFile(KCLAW_SCHEMAS "/attempt.schema.json");
  ASSERT_TRUE(text) << text.error().message;
  json::Json schema = json::Json::parse(*text, nullptr, false);
  ASSERT_TRUE(schema.is_object());
  json::Json written = json::Json::parse(toJson(record(1, Outcome::Ok, 2)));
  for (const auto &[name, ignored] : written.items())
    EXPECT_TRUE(schema["properties"].contains(name)) << name;
  for (const json::Json &name : schema["required"])
    EXPECT_TRUE(written.contains(name.get<std::string>())) << name;
}

} // namespace
