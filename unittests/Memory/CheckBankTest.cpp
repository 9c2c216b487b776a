//===- CheckBankTest.cpp - What the check finds, and only that ------------===//
#include "kernelclaw/Memory/CheckBank.h"
#include "SampleBank.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kclaw {
namespace {

/// All features at a value, so that any bank may be searched.
Witnesses baseOnly() {
  auto real = loadWitnesses(KCLAW_TEST_MEMORYBANK);
  EXPECT_TRUE(real) << real.error().message;
  Witnesses witnesses;
  witnesses.base = real->base;
  return witnesses;
}

MemoryBank sample() {
  auto bank = SampleBank().load();
  EXPECT_TRUE(bank) << bank.error().message;
  return *bank;
}

bool says(const CheckReport &report, const std::string &text) {
  return std::ranges::any_of(report.errors, [&](const std::string &error) {
    return error.find(text) != std::string::npos;
  });
}

std::string all(const CheckReport &report) {
  std::string text;
  for (const std::string &error : report.errors)
    text += error + "\n";
  return text;
}

TEST(CheckBank, ASoundBankPassesAndItsWitnessesAreHeldAfterwards) {
  MemoryBank bank = sample();
  bank.headrooms.erase(bank.headrooms.begin()); // no case names the tier low
  CheckReport found = checkBank(bank, baseOnly(), {});
  EXPECT_TRUE(found.errors.empty()) << all(found);
  EXPECT_GT(found.found, 0u);
  CheckReport held = checkBank(bank, found.witnesses, {.search = false});
  EXPECT_TRUE(held.errors.empty()) << all(held);
  EXPECT_EQ(held.found, 0u);
}

TEST(CheckBank, AShadowedCaseNamesTheOneThatTakesItsPlace) {
  MemoryBank bank = sample();
  std::swap(bank.cases[0], bank.cases[1]);
  CheckReport report = checkBank(bank, baseOnly(), {});
  EXPECT_TRUE(says(report, "case long is shadowed by case rest"))
      << all(report);
}

TEST(CheckBank, PartsThatExcludeEachOther) {
  MemoryBank bank = sample();
  bank.cases[0].signature = {"not dramBound"};
  CheckReport report = checkBank(bank, baseOnly(), {});
  EXPECT_TRUE(says(report, "case long cannot be reached")) << all(report);
}

TEST(CheckBank, APartThatMakesNoDifferenceIsUnused) {
  MemoryBank bank = sample();
  bank.cases[0].signature = {"dramBound"};
  bank.cases[0].bottleneck = "any";
  bank.cases[0].when = *Condition::parse("dramThroughput >= 50");
  CheckReport report = checkBank(bank, baseOnly(), {});
  EXPECT_TRUE(says(report, "case long: its part 'when' is unused"))
      << all(report);
}

TEST(CheckBank, APreconditionThatTheCaseImpliesIsUnused) {
  MemoryBank bank = sample();
  for (Method &method : bank.methods)
    if (method.name == "split")
      method.preconditions[0].condition =
          *Condition::parse("dramThroughput > 60");
  CheckReport report = checkBank(bank, baseOnly(), {});
  EXPECT_TRUE(says(report, "method split: its precondition 'first' "
                           "(dramThroughput > 60) is unused"))
      << all(report);
}

TEST(CheckBank, AMethodThatCannotApplyWhereItIsListed) {
  MemoryBank bank = sample();
  for (Method &method : bank.methods)
    if (method.name == "split")
      method.preconditions[0].condition =
          *Condition::parse("dramThroughput < 60");
  CheckReport report = checkBank(bank, baseOnly(), {});
  EXPECT_TRUE(says(report, "case long lists method split, whose "
                           "preconditions never hold there"))
      << all(report);
}

TEST(CheckBank, WhatNothingReadsIsUnused) {
  MemoryBank bank = sample();
  bank.predicates.push_back(
      {"idle", "m", *Condition::parse("dramThroughput < 10"), ""});
  bank.derived.push_back({"double", "m", *Condition::parse("rows * 2"), ""});
  bank.headrooms.push_back({"none", "m", *Condition::parse("0"), ""});
  CheckReport report = checkBank(bank, baseOnly(), {});
  for (const char *text :
       {"predicate idle is unused", "derived number double is unused",
        "headroom tier none is unused"})
    EXPECT_TRUE(says(report, text)) << all(report);
}

TEST(CheckBank, ALostPartAndALostPreconditionMakeOverGeneral) {
  MemoryBank bank = sample();
  Witnesses held = checkBank(bank, baseOnly(), {}).witnesses;
  MemoryBank general = bank;
  general.cases[0].structure = "any";
  EXPECT_TRUE(says(checkBank(general, held, {}),
                   "case long is over-general: without 'longRows'"));
  general = bank;
  for (Method &method : general.methods)
    if (method.name == "split")
      method.preconditions.erase(method.preconditions.begin());
  EXPECT_TRUE(says(checkBank(general, held, {}),
                   "method split is over-general: without its precondition "
                   "'first'"));
  general = bank;
  general.cases.erase(general.cases.begin());
  CheckReport report = checkBank(general, held, {});
  EXPECT_TRUE(says(report, "case long is gone")) << all(report);
  EXPECT_TRUE(says(report, "method split is unused")) << all(report);
  EXPECT_FALSE(says(checkBank(general, held, {.renew = true}), "is gone"));
}

TEST(CheckBank, HiddenAndUnmatchedLessons) {
  MemoryBank bank = sample();
  bank.lessons.push_back({"late", "compile", "expected a", "", "",
                          "error: expected a ')'", "c", "f"});
  bank.lessons.push_back(
      {"wrong", "timing", "slow", "", "", "it was fast", "c", "f"});
  CheckReport report = checkBank(bank, baseOnly(), {});
  EXPECT_TRUE(says(report, "lesson late is hidden by any-error"));
  EXPECT_TRUE(says(report, "lesson wrong: its pattern does not match"));
}

} // namespace
} // namespace kclaw
