// events.jsonl after crashes: torn tails (ST-01), NUL runs (ST-03).
#include "Agent/EventLog.h"

#include "TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace kclaw;
using json::Json;

namespace {

std::string record(int seq, const std::string &message = "\xE6\xA0\xB8") {
  return json::dump(Json{{"seq", seq},
                         {"time", "t"},
                         {"event", "reply"},
                         {"attempt", seq},
                         {"message", message}});
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += record(i) + "\n";
  return text;
}

std::vector<int> seqs(const LogContents &log) {
  std::vector<int> result;
  for (const Json &each : log.records)
    result.push_back(each["seq"]);
  return result;
}

class EventLogFile : public testing::Test {
protected:
  void write(const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  LogContents read() { return readLog(*readFile(path)); }

  TemporaryDirectory folder;
  std::string path = folder / "events.jsonl";
};

// ST-01 (a), (b): the fragment goes, what is appended later survives.
TEST_F(EventLogFile, HalfARecordIsCutOff) {
  std::string two = lines(2), three = lines(3);
  size_t inCharacter = three.rfind("\xE6\xA0\xB8") + 1;
  for (size_t cut : {two.size() + 9, inCharacter}) {
    write(three.substr(0, cut));
    for (int crash = 0; crash < 2; ++crash) {
      auto log = EventLog::open(path);
      ASSERT_TRUE(log) << log.error().message;
      EXPECT_EQ(log->damages().size(), crash == 0 ? 1u : 0u);
      ASSERT_TRUE(log->append({{"event", "evaluated"}, {"n", crash}}));
      ASSERT_TRUE(log->append({{"event", "evaluated"}, {"n", crash}}));
    }
    // Two old ones, log_recovered, four new ones; nothing is damaged now.
    EXPECT_EQ(seqs(read()), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(read().damages.empty());
    EXPECT_EQ(read().records[2]["event"], "log_recovered");
    EXPECT_EQ(read().records[2]["offset"], two.size());
  }
}

// ST-01 (c): only the newline is missing.
TEST_F(EventLogFile, WholeRecordWithoutNewlineIsKept) {
  std::string three = lines(3);
  write(three.substr(0, three.size() - 1));
  {
    auto log = EventLog::open(path);
    ASSERT_TRUE(log);
    EXPECT_EQ(log->records().size(), 3u);
    ASSERT_TRUE(log->append({{"event", "evaluated"}}));
  }
  EXPECT_EQ(seqs(read()), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(read().damages.empty());
}

// ST-03: 400 NULs over the inside of record 50.
TEST_F(EventLogFile, NulsInTheMiddleHideNothingElse) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += record(i, std::string(600, 'x')) + "\n";
  size_t start = text.find(record(50, std::string(600, 'x')));
  std::fill_n(text.begin() + start + 20, 400, '\0');
  write(text);
  for (int time = 0; time < 2; ++time) {
    auto log = EventLog::open(path);
    ASSERT_TRUE(log);
    EXPECT_EQ(log->damages().size(), 1u);
    EXPECT_EQ(log->damages()[0].offset, start);
    EXPECT_FALSE(log->damages()[0].cutOff);
  }
  // 99 good ones and one log_recovered, however often it was opened.
  EXPECT_EQ(read().records.size(), 100u);
  EXPECT_EQ(read().records.back()["offset"], start);
}

TEST(ReadLog, NulsAtTheEndAreCutOff) {
  std::string good = lines(3);
  LogContents log = readLog(good + std::string(400, '\0'));
  EXPECT_EQ(seqs(log), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(log.keepBytes, good.size());
  ASSERT_EQ(log.damages.size(), 1u);
  EXPECT_TRUE(log.damages[0].cutOff);
}

TEST(ReadLog, NulsOverANewlineLeaveTheNextRecord) {
  std::string text = lines(3);
  size_t newline = text.find('\n');
  std::fill_n(text.begin() + newline - 5, 6, '\0');
  EXPECT_EQ(seqs(readLog(text)), (std::vector<int>{1, 2}));
}

TEST(ReadLog, RepeatedAndUnorderedRecords) {
  std::string text;
  for (int seq : {2, 0, 1, 1, 2})
    text += record(seq) + "\n";
  EXPECT_EQ(seqs(readLog(text)), (std::vector<int>{0, 1, 2}));
}

TEST_F(EventLogFile, OnceMeansOnceAcrossRuns) {
  const Json event{{"event", "evaluated"}, {"specHash", "a"}, {"attempt", 1}};
  for (int time = 0; time < 2; ++time)
    ASSERT_TRUE(EventLog::open(path)->appendOnce(event));
  EXPECT_EQ(read().records.size(), 1u);
}

TEST_F(EventLogFile, OneProcessAtATime) {
  auto first = EventLog::open(path);
  ASSERT_TRUE(first);
  auto second = EventLog::open(path);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().message.starts_with("another process (pid "));
}

TEST(SecondsSpent, SumsProcessesWithoutTheTimeBetween) {
  auto record = [](const char *event, const char *time) {
    return json::Json{{"event", event}, {"time", time}};
  };
  EXPECT_EQ(secondsSpent({}), 0);
  EXPECT_NEAR(secondsSpent({record("run_started", "2026-01-01T00:00:00.250Z"),
                            record("reply", "2026-01-01T00:00:02.750Z"),
                            record("run_parked", "2026-01-01T00:00:03Z"),
                            record("run_resumed", "2026-01-02T00:00:00Z"),
                            record("evaluated", "2026-01-02T00:00:10.5Z"),
                            record("evaluated", "not a time"),
                            record("run_resumed", "2026-01-03T00:00:00Z")}),
              2.75 + 10.5, 1e-6);
  // A clock that was set back counts nothing rather than less than nothing.
  EXPECT_EQ(secondsSpent({record("run_started", "2026-01-02T00:00:00Z"),
                          record("reply", "2026-01-01T00:00:00Z")}),
            0);
}

TEST(Files, FullDiskIsAClearError) {
  OpenFile full(::open("/dev/full", O_WRONLY));
  ASSERT_TRUE(full) << "no /dev/full here";
  auto done = writeAll(full.get(), "{}\n", "events.jsonl");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Error::Code::Io);
  EXPECT_EQ(done.error().message,
            "writing 'events.jsonl' failed: No space left on device");
}

} // namespace
