//===- GateTest.cpp - Cases, preconditions, order, lessons ----------------===//
#include "kernelclaw/Memory/Gate.h"
#include "SampleBank.h"

#include <gtest/gtest.h>

namespace kclaw {
namespace {

class Gate : public testing::Test {
protected:
  void SetUp() override {
    auto loaded = SampleBank().load();
    ASSERT_TRUE(loaded) << loaded.error().message;
    bank = std::move(*loaded);
  }
  MemoryBank bank;
  std::map<std::string, double> features = {
      {"kernels", 1},      {"dramThroughput", 80}, {"reductionLength", 65536},
      {"elementBytes", 4}, {"headroom", 3},        {"alignedRows", 1},
      {"loadBits", 32},    {"rows", 16},           {"sms", 132},
      {"isReduction", 1}};
};

TEST_F(Gate, TheFirstCaseThatFits) {
  Diagnosis diagnosis = diagnose(bank, features);
  ASSERT_TRUE(diagnosis.match);
  EXPECT_EQ(diagnosis.match->name, "long");
  EXPECT_EQ(diagnosis.headroom, "high");
  EXPECT_EQ(diagnosis.predicates,
            (std::vector<std::string>{"dramBound", "longRows"}));
  EXPECT_EQ(diagnosis.features.at("rowBytes"), 262144);
  EXPECT_TRUE(diagnosis.allows("split"));
  EXPECT_TRUE(diagnosis.allows("wide"));
}

TEST_F(Gate, AnotherTierIsAnotherCase) {
  features["headroom"] = 1.5;
  Diagnosis diagnosis = diagnose(bank, features);
  EXPECT_EQ(diagnosis.match->name, "rest");
  EXPECT_FALSE(diagnosis.allows("split"));
  ASSERT_EQ(diagnosis.refused.size(), 1u);
  EXPECT_EQ(diagnosis.refused[0].why, "the case forbids it: rows are short");
}

TEST_F(Gate, APreconditionRefusesWithItsText) {
  features["loadBits"] = 128;
  Diagnosis diagnosis = diagnose(bank, features);
  EXPECT_FALSE(diagnosis.allows("wide"));
  EXPECT_EQ(diagnosis.refused[0].why, "not met: second (loadBits < 128): m");
  features.erase("loadBits");
  diagnosis = diagnose(bank, features);
  EXPECT_EQ(diagnosis.refused[0].why, "not known: second (loadBits < 128): m");
}

/// One case for all; its keys beyond the usual ones.
std::string oneCase(const std::string &allowed, const std::string &more) {
  return R"({"name": "one", "bottleneck": "dramBound", "structure": "any",
             "headroom": "any", "scope": "kernel", "signature": [],
             "advice": "a", "allowed": [)" +
         allowed + "]" + more + "}";
}

TEST(GateOfCases, WhereItSaysSoWhatIsNotKnownPasses) {
  SampleBank sample;
  sample.write("diagnosis/cases/10-dram.json",
               "[" + oneCase(R"("wide")", R"(, "unknown": "passes")") + "]");
  auto bank = sample.load();
  ASSERT_TRUE(bank) << bank.error().message;
  std::map<std::string, double> features = {
      {"kernels", 1}, {"dramThroughput", 80}, {"alignedRows", 1}};
  Diagnosis diagnosis = diagnose(*bank, features);
  EXPECT_TRUE(diagnosis.allows("wide"));
  EXPECT_EQ(diagnosis.unknown.at("wide"), "second (loadBits < 128): m");
  features["loadBits"] = 128;
  diagnosis = diagnose(*bank, features);
  EXPECT_FALSE(diagnosis.allows("wide")) << "what is known refuses";
  EXPECT_EQ(diagnosis.refused[0].why, "not met: second (loadBits < 128): m");
}

TEST(GateOfCases, MethodsOfTheRegionsOwnCaseAreThereUnasked) {
  const std::string region =
      R"json({"name": "region", "bottleneck": "longRows", "structure": "any",
          "headroom": "any", "scope": "seed", "signature": [], "advice": "a",
          "when": "not known(kernels)", "allowed": ["split", "wide"]})json";
  std::map<std::string, double> features = {
      {"kernels", 1},      {"dramThroughput", 80}, {"reductionLength", 65536},
      {"elementBytes", 4}, {"alignedRows", 1},     {"loadBits", 32},
      {"rows", 16},        {"sms", 132},           {"isReduction", 1}};
  auto with = [&](const std::string &more) {
    SampleBank sample;
    sample.write("diagnosis/cases/10-dram.json",
                 "[" + region + "," + oneCase(R"("wide")", more) + "]");
    auto bank = sample.load();
    EXPECT_TRUE(bank) << bank.error().message;
    Diagnosis diagnosis = diagnose(*bank, features);
    std::string names;
    for (const Method *method : diagnosis.notIndicated)
      names += method->name + " ";
    EXPECT_FALSE(diagnosis.allows("split"));
    return names + diagnosis.refused.at(0).why;
  };
  EXPECT_EQ(with(""), "split case one does not list it");
  EXPECT_EQ(with(R"(, "forbidden": {"split": "no"})"),
            "the case forbids it: no");
  features["rows"] = 1000;
  EXPECT_EQ(with(""), "not met: first (rows < sms): m");
}

TEST_F(Gate, WithoutAPlanWhatOnlyAPlanHasIsOpen) {
  features.erase("loadBits");
  features.erase("kernels");
  EXPECT_TRUE(diagnose(bank, features).allows("wide"));
}

TEST_F(Gate, NoCaseAllowsWhatItsPreconditionsAllow) {
  features.erase("dramThroughput");
  features["rows"] = 1000;
  Diagnosis diagnosis = diagnose(bank, features);
  EXPECT_EQ(diagnosis.match, nullptr);
  EXPECT_TRUE(diagnosis.allows("wide"));
  EXPECT_FALSE(diagnosis.allows("split"));
}

Experience row(const Diagnosis &diagnosis, const std::string &method,
               double gain) {
  Experience one;
  one.context = diagnosis.features;
  one.caseName = "long";
  one.method = method;
  one.outcome = gain > 0 ? Outcome::Ok : Outcome::Mismatch;
  one.gain = gain;
  return one;
}

/// How often `method` comes first over many seeds.
double firstShare(const Diagnosis &diagnosis,
                  const std::vector<Experience> &experiences,
                  const std::string &method,
                  const std::vector<std::string> &tried = {}) {
  int first = 0;
  for (uint64_t seed = 0; seed < 400; ++seed)
    first +=
        rank(diagnosis, experiences, tried, seed)[0].method->name == method;
  return first / 400.0;
}

TEST_F(Gate, WithoutExperienceTheCasesOrderLeadsButDoesNotDecide) {
  double share = firstShare(diagnose(bank, features), {}, "split");
  EXPECT_GT(share, 0.5);
  EXPECT_LT(share, 0.9);
}

TEST_F(Gate, GainsAreLearnedAndFailuresToo) {
  Diagnosis diagnosis = diagnose(bank, features);
  std::vector<Experience> good(8, row(diagnosis, "wide", 1.6));
  EXPECT_GT(firstShare(diagnosis, good, "wide"), 0.7);
  std::vector<Experience> bad(8, row(diagnosis, "split", 0));
  EXPECT_LT(firstShare(diagnosis, bad, "split"), 0.3);
  EXPECT_LT(firstShare(diagnosis, {}, "split", {"split", "split"}), 0.4);
}

TEST_F(Gate, OtherContextsCountLess) {
  Diagnosis diagnosis = diagnose(bank, features);
  Experience other = row(diagnosis, "wide", 1.6);
  double near = rank(diagnosis, {other}, {}, 1)[0].effectiveRows +
                rank(diagnosis, {other}, {}, 1)[1].effectiveRows;
  EXPECT_NEAR(near, 1, 1e-9) << "the same context counts fully";
  other.context["isReduction"] = 0;
  other.context["isConvolution"] = 1;
  other.caseName = "rest";
  double far = rank(diagnosis, {other}, {}, 1)[0].effectiveRows +
               rank(diagnosis, {other}, {}, 1)[1].effectiveRows;
  EXPECT_LT(far, 0.12);
}

TEST_F(Gate, TheOrderIsAFunctionOfTheSeed) {
  Diagnosis diagnosis = diagnose(bank, features);
  auto once = rank(diagnosis, {}, {}, 5), again = rank(diagnosis, {}, {}, 5);
  EXPECT_EQ(once[0].method, again[0].method);
  EXPECT_EQ(once[0].draw, again[0].draw);
}

TEST_F(Gate, MoreRowsMakeItSurer) {
  Diagnosis diagnosis = diagnose(bank, features);
  auto deviation = [&](size_t count) {
    std::vector<Experience> rows(count, row(diagnosis, "wide", 1.3));
    for (const Ranked &one : rank(diagnosis, rows, {}, 1))
      if (one.method->name == "wide")
        return one.deviation;
    return 0.0;
  };
  EXPECT_GT(deviation(0), deviation(2));
  EXPECT_GT(deviation(2), deviation(20));
}

TEST_F(Gate, LessonsByOutcomeAndPatternMostSpecificFirst) {
  Evaluation evaluation;
  evaluation.outcome = Outcome::CompileError;
  evaluation.log = "main.cu(1): error: expected a ';'\n"
                   "main.cu(3): error: identifier \"foo\" is undefined\n";
  auto lessons = findLessons(bank, evaluation);
  ASSERT_EQ(lessons.size(), 2u);
  EXPECT_EQ(lessons[0]->name, "undeclared");
  evaluation.outcome = Outcome::Fault;
  EXPECT_EQ(findLessons(bank, evaluation).size(), 1u);
  evaluation.log = std::string(10 << 20, 'x');
  EXPECT_TRUE(findLessons(bank, evaluation).empty());
}

} // namespace
} // namespace kclaw
