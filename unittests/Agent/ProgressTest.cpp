// What a run shows: plain lines, JSON lines, a block that is drawn anew.
#include "Agent/Progress.h"
#include "Fakes.h"

#include "Support/Json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

using namespace kclaw;

namespace {

std::string shown(ProgressKind kind, const Budget &budget = {}) {
  char *text = nullptr;
  size_t size = 0;
  std::FILE *stream = open_memstream(&text, &size);
  Ledger ledger(budget);
  {
    Progress progress(kind, stream, ledger, budget, 3);
    progress.start("[1/3] aa");
    progress.note("[1/3] aa", "attempt 1:\n\x1b[31mok");
    ledger.book({1000, 500, 0.25, 1});
    RegionOutcome won;
    won.status = RegionOutcome::Status::Won;
    won.evaluation.speedup = 1.84;
    won.reason = "1.84x of stock";
    progress.start("[2/3] bb");
    progress.finish("[1/3] aa", won);
    RegionOutcome kept;
    kept.reason = "nothing was tried";
    kept.fromStore = true;
    progress.finish("[2/3] bb", kept);
  }
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

TEST(Progress, PlainIsALinePerNote) {
  EXPECT_EQ(shown(ProgressKind::Plain), "[1/3] aa attempt 1:  [31mok\n");
  // What is no terminal gets the same from auto.
  EXPECT_EQ(shown(ProgressKind::Auto), "[1/3] aa attempt 1:  [31mok\n");
  EXPECT_EQ(shown(ProgressKind::None), "");
}

TEST(Progress, JsonIsAnObjectPerLine) {
  std::istringstream lines(shown(ProgressKind::Json));
  std::vector<json::Json> objects;
  for (std::string line; std::getline(lines, line);)
    objects.push_back(json::Json::parse(line));
  ASSERT_EQ(objects.size(), 5u);
  EXPECT_EQ(objects[0]["event"], "region_started");
  EXPECT_FALSE(objects[0].contains("secondsToGo"));
  EXPECT_EQ(objects[1]["event"], "note");
  EXPECT_EQ(objects[3]["event"], "region_finished");
  EXPECT_EQ(objects[3]["text"], "won: 1.84x of stock");
  EXPECT_EQ(objects[3]["done"], 1);
  EXPECT_EQ(objects[3]["regions"], 3);
  EXPECT_EQ(objects[3]["won"], 1);
  EXPECT_EQ(objects[3]["bestSpeedup"], 1.84);
  EXPECT_EQ(objects[3]["tokens"], 1500);
  EXPECT_EQ(objects[3]["dollars"], 0.25);
  EXPECT_TRUE(objects[3].contains("secondsToGo"));
}

TEST(Progress, LiveRedrawsItsBlock) {
  Budget budget;
  budget.maxDollars = 1;
  std::string text = shown(ProgressKind::Live, budget);
  EXPECT_NE(text.find("\x1b[3A\x1b[J"), std::string::npos); // two under way
  EXPECT_NE(text.find("[1/3] aa won: 1.84x of stock\n"), std::string::npos);
  std::string last = text.substr(text.rfind("\x1b[J") + 3);
  EXPECT_TRUE(last.starts_with("2/3 regions, 1 won, best 1.84x | 1500 tokens, "
                               "$0.25 of $1 | 0:00"))
      << last;
}

TEST(Progress, AnAnswerThatComesInIsCounted) {
  for (ProgressKind kind :
       {ProgressKind::Live, ProgressKind::Json, ProgressKind::Plain}) {
    char *text = nullptr;
    size_t size = 0;
    std::FILE *stream = open_memstream(&text, &size);
    Ledger ledger{Budget()};
    {
      Progress progress(kind, stream, ledger, {}, 2);
      progress.start("[1/2] aa", "aa0");
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
      progress.receiving("aa0", 120);
      progress.receiving("bb0", 7); // not known
      progress.receiving("aa0", 0);
    }
    std::fclose(stream);
    std::string shown(text, size);
    std::free(text);
    if (kind == ProgressKind::Live) {
      EXPECT_NE(shown.find("0 tokens + 120 coming"), std::string::npos)
          << shown;
      EXPECT_NE(shown.find("  [1/2] aa (120 tokens) ..."), std::string::npos);
      EXPECT_EQ(shown.substr(shown.rfind("\x1b[J")).find("coming"),
                std::string::npos);
    }
    if (kind == ProgressKind::Json) {
      std::string line = shown.substr(shown.find('\n') + 1);
      json::Json object = json::Json::parse(line, nullptr, false);
      EXPECT_EQ(object["event"], "receiving");
      EXPECT_EQ(object["region"], "[1/2] aa");
      EXPECT_EQ(object["answerTokens"], 120);
    }
    if (kind == ProgressKind::Plain)
      EXPECT_EQ(shown, "");
  }
}

TEST(Progress, ARunToldOfTokensShowsThem) {
  Bench bench;
  bench.options.progress = ProgressKind::Json;
  bench.options.budget.maxAttempts = 1;
  bench.provider.answer = [](const Conversation &conversation) {
    if (conversation.onTokens)
      conversation.onTokens(345);
    return planReply("plan");
  };
  testing::internal::CaptureStderr();
  bench.run();
  std::istringstream lines(testing::internal::GetCapturedStderr());
  int told = 0;
  for (std::string line; std::getline(lines, line);) {
    json::Json object = json::Json::parse(line, nullptr, false);
    told += object.is_object() && object["event"] == "receiving" &&
            object["answerTokens"] == 345;
  }
  EXPECT_EQ(told, 1);
}

TEST(Progress, RegionsThatWaitAreNotShown) {
  char *text = nullptr;
  size_t size = 0;
  std::FILE *stream = open_memstream(&text, &size);
  Ledger ledger{Budget()};
  {
    Progress progress(ProgressKind::Live, stream, ledger, {}, 2);
    progress.start("[1/2] aa", "aa0");
    progress.start("[2/2] bb", "bb0");
    progress.attempted("[1/2] aa", 1, 4);
    progress.rest("[1/2] aa");
  }
  std::fclose(stream);
  std::string shown(text, size);
  std::free(text);
  std::string block = shown.substr(0, shown.rfind("\x1b["));
  block = block.substr(0, block.rfind("\x1b["));
  block = block.substr(block.rfind("\x1b[J") + 3);
  EXPECT_EQ(block.find("aa"), std::string::npos) << block;
  EXPECT_NE(block.find("[2/2] bb"), std::string::npos) << block;
  EXPECT_NE(block.find("to go"), std::string::npos) << block;
}

TEST(ClockTime, MinutesAndHours) {
  EXPECT_EQ(clockTime(5), "0:05");
  EXPECT_EQ(clockTime(3599), "59:59");
  EXPECT_EQ(clockTime(3661), "1:01:01");
  EXPECT_EQ(clockTime(-3), "0:00");
}

} // namespace
