// Files of older and newer versions, a full disk, folders that cannot be
// written, and damaged files: clear errors, and no winner is lost.
#include "SampleStore.h"

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace kclaw;
using testing::HasSubstr;

namespace {

void executeSql(const std::string &path, const std::string &sql) {
  sqlite3 *database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char *message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message),
            SQLITE_OK)
      << message;
  sqlite3_close(database);
}

/// As these versions of the program wrote it, word for word.
constexpr const char *versionOne = R"sql(
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS entries (
  spec_hash TEXT NOT NULL, arch TEXT NOT NULL, policy TEXT NOT NULL,
  evidence TEXT NOT NULL, rules INTEGER NOT NULL,
  won INTEGER NOT NULL, plan TEXT NOT NULL, evaluation TEXT NOT NULL,
  reason TEXT NOT NULL, provenance TEXT NOT NULL, updated TEXT NOT NULL,
  PRIMARY KEY (spec_hash, arch, policy, evidence, rules)) WITHOUT ROWID;
PRAGMA user_version = 1;
)sql";
constexpr const char *versionTwo = R"sql(
CREATE TABLE IF NOT EXISTS refuted (
  spec_hash TEXT NOT NULL, arch TEXT NOT NULL, policy TEXT NOT NULL,
  plan TEXT NOT NULL, reason TEXT NOT NULL, updated TEXT NOT NULL,
  PRIMARY KEY (spec_hash, arch, policy, plan)) WITHOUT ROWID;
PRAGMA user_version = 2;
)sql";

std::string quote(const std::string &text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string insertWinner(double microseconds) {
  StoreEntry entry = winner(microseconds);
  return "INSERT INTO entries VALUES ('abc', 'sm_90a', 'torch', 'measured', "
         "1, 1, " +
         quote(toJson(entry.plan)) + ", " + quote(toJson(entry.evaluation)) +
         ", 'why', '{}', '2026-01-01T00:00:00Z');";
}

TEST(StoreVersions, OlderStoresAreTakenOver) {
  for (std::string schema :
       {std::string(versionOne), std::string(versionOne) + versionTwo}) {
    TemporaryDirectory folder;
    executeSql(folder / "store.sqlite", schema + insertWinner(10));
    auto store = openStore(folder.str());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(storedMicroseconds(**store), 10);
    EXPECT_TRUE((*store)->learn(sampleExperience()));
    EXPECT_TRUE((*store)->refute(keyOf("x"), samplePlan(), "wrong"));
    // Once: the second opening finds it done.
    auto again = openStore(folder.str());
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(storedMicroseconds(**again), 10);
    EXPECT_EQ((*again)->experiences({})->size(), 1u);
  }
}

TEST(StoreVersions, SeveralProcessesUpgradeOnce) {
  TemporaryDirectory folder;
  executeSql(folder / "store.sqlite",
             std::string(versionOne) + versionTwo + insertWinner(10));
  for (int child = 0; child < 4; ++child)
    if (fork() == 0) {
      auto store = openStore(folder.str());
      _exit(store && storedMicroseconds(**store) == 10 ? 0 : 1);
    }
  for (int child = 0; child < 4; ++child) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

TEST(StoreVersions, NewerVersionIsRefused) {
  TemporaryDirectory folder;
  ASSERT_TRUE(openStore(folder.str()));
  executeSql(folder / "store.sqlite", "PRAGMA user_version = 99");
  auto store = openStore(folder.str());
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("has version 99"));
}

TEST(StoreDamage, BadFilesAreNamed) {
  TemporaryDirectory folder;
  std::ofstream(folder / "store.sqlite") << std::string(5000, 'x');
  auto store = openStore(folder.str());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message,
            "store '" + (folder / "store.sqlite") +
                "': file is not a database; move it aside to start a new one");
  auto blocked = openStore(folder / "store.sqlite/below");
  ASSERT_FALSE(blocked);
  EXPECT_TRUE(blocked.error().message.starts_with("store: creating folder '"));
}

// A limit on the size of files plays the full disk.
TEST(StoreDamage, AFullDiskLosesNoWinner) {
  TemporaryDirectory folder;
  ASSERT_TRUE(openStore(folder.str()).value()->put(key, winner(10)));
  auto size = std::filesystem::file_size(folder / "store.sqlite");
  if (fork() == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{size + 8192, size + 8192};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto store = openStore(folder.str());
    StoreEntry large = winner(5);
    large.plan.modules[0].source = std::string(1 << 20, ' ');
    auto done = store ? (*store)->put(key, large) : Expected<void>();
    bool told =
        !done && done.error().message.find("what was stored before stays") !=
                     std::string::npos;
    _exit(told && storedMicroseconds(**store) == 10 ? 0 : 1);
  }
  int status = 1;
  wait(&status);
  EXPECT_EQ(status, 0);
  auto store = openStore(folder.str());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(storedMicroseconds(**store), 10);
  EXPECT_THAT((*store)->contents()->damage, testing::IsEmpty());
}

TEST(StoreDamage, AKilledWriterLosesNoWinner) {
  TemporaryDirectory folder;
  ASSERT_TRUE(openStore(folder.str()).value()->put(key, winner(1000)));
  for (int round = 0; round < 5; ++round) {
    pid_t child = fork();
    if (child == 0) {
      auto store = openStore(folder.str());
      for (int i = 999; store && i > 0; --i)
        (void)(*store)->put(key, winner(i));
      _exit(0);
    }
    usleep(5000 * (round + 1));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    auto store = openStore(folder.str());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_GT(storedMicroseconds(**store), 0);
    EXPECT_THAT((*store)->contents()->damage, testing::IsEmpty());
  }
}

// A row whose text is damaged, and a page of the file: the rest comes out.
TEST(StoreDamage, WhatIsWholeCanBeSaved) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  for (int i = 100; i < 200; ++i)
    ASSERT_TRUE((*store)->put(keyOf("hash" + std::to_string(i)), winner(i)));
  store->reset();
  executeSql(folder / "store.sqlite",
             "UPDATE entries SET plan = '{' WHERE spec_hash = 'hash150';"
             "PRAGMA wal_checkpoint(TRUNCATE)");
  auto row = openStore(folder.str());
  EXPECT_THAT((*row)->find(keyOf("hash150")).error().message,
              HasSubstr("entry hash150: plan: not JSON"));
  auto contents = (*row)->contents();
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_EQ(contents->entries.size(), 99u);
  ASSERT_EQ(contents->damage.size(), 1u);
  EXPECT_THAT(contents->damage[0], HasSubstr("row 'hash150'"));
  // A new winner takes its place.
  ASSERT_TRUE((*row)->put(keyOf("hash150"), winner(150)));
  EXPECT_EQ(storedMicroseconds(**row, keyOf("hash150")), 150);
  row->reset();
  executeSql(folder / "store.sqlite", "PRAGMA wal_checkpoint(TRUNCATE)");

  // 4096 NUL bytes in the middle of the file.
  std::string path = folder / "store.sqlite";
  auto middle = std::filesystem::file_size(path) / 2 / 4096 * 4096;
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(std::streamoff(middle));
    file << std::string(4096, '\0');
  }
  auto damaged = openStore(folder.str());
  ASSERT_TRUE(damaged) << damaged.error().message;
  contents = (*damaged)->contents();
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_FALSE(contents->damage.empty());
  EXPECT_GT(contents->entries.size(), 80u);
  // And what was saved makes a store that is whole.
  auto fresh = openStore(folder / "fresh");
  ASSERT_TRUE((*fresh)->merge(*parseStoreFile(writeStoreFile(*contents)), 1));
  EXPECT_EQ((*fresh)->contents()->entries.size(), contents->entries.size());
}

// Someone else's store: the error says how to share one.
TEST(StoreDamage, AFolderThatCannotBeWritten) {
  TemporaryDirectory folder;
  ASSERT_TRUE(openStore(folder.str()).value()->put(key, winner(10)));
  auto parent = std::filesystem::path(folder.str()).parent_path();
  chmod(parent.c_str(), 0755);
  chmod(folder.str().c_str(), 0555);
  if (fork() == 0) {
    if (geteuid() == 0 && setuid(65534) != 0)
      _exit(2);
    auto store = openStore(folder.str());
    auto done = store ? (*store)->put(key, winner(5))
                      : Expected<void>(std::unexpected(store.error()));
    bool told = !done && done.error().message.find("store=FILE.json") !=
                             std::string::npos;
    if (!told && !done)
      std::fprintf(stderr, "%s\n", done.error().message.c_str());
    _exit(told ? 0 : 1);
  }
  int status = 1;
  wait(&status);
  chmod(folder.str().c_str(), 0755);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(storedMicroseconds(*openStore(folder.str()).value()), 10);
}

} // namespace
