//===- ReportTest.cpp - Advice and reports for people ---------------------===//
#include "Explain/Report.h"
#include "Explain/Advice.h"
#include "Explain/EmbeddedText.h"

#include <gtest/gtest.h>

using namespace kclaw;

static std::string adviceOf(const Evaluation &evaluation,
                            const std::string &table) {
  auto advice = adviceFor(evaluation, table);
  if (!advice)
    return "error: " + advice.error().message;
  std::string text;
  for (const std::string &each : *advice)
    text += each + "|";
  return text;
}

TEST(Advice, RowsSpeakWhenAllTheirColumnsFit) {
  const char *table = R"({"rows": [
    {"outcome": "mismatch", "advice": "a"},
    {"outcome": "mismatch", "rule": ["budget", "other"], "advice": ["b", "a"]},
    {"outcome": "fault", "rule": "budget", "advice": "c"},
    {"pattern": "tail", "advice": "d"},
    {"spills": true, "advice": "e"}]})";
  Evaluation evaluation;
  evaluation.outcome = Outcome::Mismatch;
  evaluation.rule = "budget";
  EXPECT_EQ(adviceOf(evaluation, table), "a|b|");
  evaluation.explanation.patterns = {{"tail", ""}};
  evaluation.resources = {{"k", 32, 8, 0, 0}};
  EXPECT_EQ(adviceOf(evaluation, table), "a|b|d|e|");
}

TEST(Advice, AMistakeInTheTableIsNamed) {
  EXPECT_TRUE(adviceOf({}, R"({"rows": [{"rul": "x", "advice": "a"}]})")
                  .starts_with("error: rows[0]: unknown member \"rul\""));
}

/// Each rule that decides often, and each kind of the simulator's faults.
TEST(Advice, TheTableHasSomethingToSay) {
  struct Case {
    Outcome outcome;
    const char *rule;
  };
  for (Case each : {Case{Outcome::Mismatch, "budget"},
                    {Outcome::Mismatch, "not-written"},
                    {Outcome::Mismatch, "input-written"},
                    {Outcome::Mismatch, "timed-run"},
                    {Outcome::Nondeterministic, "two-runs"},
                    {Outcome::CompileError, "compile"},
                    {Outcome::LaunchError, "launch"},
                    {Outcome::Fault, "guard-band"},
                    {Outcome::Fault, "out-of-bounds"},
                    {Outcome::Fault, "misaligned-address"},
                    {Outcome::Fault, "write-to-constant-memory"},
                    {Outcome::Fault, "uninitialised-read"},
                    {Outcome::Fault, "data-race"},
                    {Outcome::Fault, "divergent-barrier"},
                    {Outcome::Fault, "deadlock"},
                    {Outcome::Fault, "missing-wait"},
                    {Outcome::Fault, "trap"},
                    {Outcome::Fault, "assertion-failed"},
                    {Outcome::Fault, "memcheck"},
                    {Outcome::Fault, "racecheck"},
                    {Outcome::Fault, "initcheck"},
                    {Outcome::Fault, "synccheck"},
                    {Outcome::Timeout, "instruction-budget"}}) {
    Evaluation evaluation;
    evaluation.outcome = each.outcome;
    evaluation.rule = each.rule;
    std::string advice = adviceOf(evaluation, adviceText());
    EXPECT_FALSE(advice.empty() || advice.starts_with("error")) << each.rule;
  }
}

TEST(Report, AMismatchShowsElementsAndPatterns) {
  Evaluation evaluation;
  evaluation.outcome = Outcome::Mismatch;
  evaluation.rule = "budget";
  Explanation &x = evaluation.explanation;
  x.distribution = "normal";
  x.result = 0;
  x.dtype = "f32";
  x.shape = {2, 50};
  x.elements = 100;
  x.wrong = 12;
  x.first = {{99, 1, 2, 2.5, 0.5, false}};
  x.patterns = {{"tail", "the last 12 elements"}};
  std::string text = renderReport(evaluation, {"do this"}, {"k.cu"});
  for (const char *part :
       {"k.cu: NOT OK, mismatch (rule budget)\n",
        "result 0, f32 [2, 50]: 12 of 100 elements wrong, all were written",
        "99 [1, 49]", "... and 11 more", "tail: the last 12 elements",
        "  - do this\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Report, AWinnerShowsTimesAndChecks) {
  Evaluation evaluation;
  evaluation.outcome = Outcome::Ok;
  evaluation.speedup = 2;
  evaluation.time.medianMicroseconds = 5;
  evaluation.stockTime.medianMicroseconds = 10;
  evaluation.checks = {
      {"simulator", ToolCheck::Outcome::Passed, 1.5, "at rows=4"}};
  std::string text = renderReport(evaluation, {}, {"k.cu"});
  EXPECT_TRUE(text.starts_with("k.cu: OK, 2.00x of stock\n")) << text;
  EXPECT_NE(text.find("simulator  passed"), std::string::npos) << text;
  EXPECT_EQ(text.find("what to try next"), std::string::npos);
}
