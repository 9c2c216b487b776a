// The store: what goes in comes out, the faster winner stays, every part of
// the key counts, several processes may write, bad files are named.
#include "kernelclaw/Store/Store.h"
#include "kernelclaw/Support/CacheDirectory.h"

#include "Plan/SampleEvaluation.h"
#include "Plan/SamplePlan.h"
#include "TemporaryDirectory.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

using namespace kclaw;

namespace {

const StoreKey key{"abc", "sm_90a", "torch", Evidence::Measured, 1};

StoreEntry winner(double microseconds) {
  StoreEntry entry;
  entry.won = true;
  entry.plan = samplePlan();
  entry.evaluation = sampleEvaluation();
  entry.evaluation.time.medianMicroseconds = microseconds;
  entry.provenance = "{\"provider\": \"test\"}";
  return entry;
}

double storedMicroseconds(Store &store) {
  auto entry = store.find(key);
  return entry && *entry ? (*entry)->evaluation.time.medianMicroseconds : -1;
}

TEST(Store, SurvivesReopening) {
  TemporaryDirectory folder;
  {
    auto store = openStore(folder / "new/deep");
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_FALSE((*store)->find(key)->has_value());
    ASSERT_TRUE((*store)->put(key, winner(10)));
  }
  auto store = openStore(folder / "new/deep");
  ASSERT_TRUE(store) << store.error().message;
  auto entry = (*store)->find(key);
  ASSERT_TRUE(entry && *entry);
  EXPECT_TRUE((*entry)->won);
  EXPECT_EQ(toJson((*entry)->plan), toJson(samplePlan()));
  EXPECT_EQ(toJson((*entry)->evaluation), toJson(winner(10).evaluation));
  EXPECT_EQ((*entry)->provenance, "{\"provider\": \"test\"}");
}

TEST(Store, OnlyFasterWinnersReplace) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  ASSERT_TRUE(store) << store.error().message;
  StoreEntry kept;
  kept.reason = "nothing beat stock";
  ASSERT_TRUE((*store)->put(key, kept));
  EXPECT_EQ((**(*store)->find(key)).reason, kept.reason);
  for (auto [put, left] : {std::pair{10, 10}, {12, 10}, {8, 8}}) {
    ASSERT_TRUE((*store)->put(key, winner(put)));
    EXPECT_EQ(storedMicroseconds(**store), left);
  }
  ASSERT_TRUE((*store)->put(key, kept));
  EXPECT_EQ(storedMicroseconds(**store), 8);
}

// A shorter time on another device, or under another driver, says nothing; the
// speedup over the stock measured beside it does.
TEST(Store, TimesOfDifferentDevicesAreNotCompared) {
  for (auto change : std::initializer_list<void (*)(DeviceIdentity &)>{
           [](DeviceIdentity &device) { device.uuid = "GPU-2"; },
           [](DeviceIdentity &device) { device.uuid = ""; },
           [](DeviceIdentity &device) { device.driver = "12.9"; }}) {
    TemporaryDirectory folder;
    auto store = openStore(folder.str());
    ASSERT_TRUE((*store)->put(key, winner(10)));
    StoreEntry faster = winner(5);
    change(faster.evaluation.device);
    ASSERT_TRUE((*store)->put(key, faster));
    EXPECT_EQ(storedMicroseconds(**store), 10);
    StoreEntry better = winner(20);
    change(better.evaluation.device);
    better.evaluation.speedup += 1;
    ASSERT_TRUE((*store)->put(key, better));
    EXPECT_EQ(storedMicroseconds(**store), 20);
  }
}

TEST(Store, ARefutedPlanIsNoWinnerAndNeverBecomesOne) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  ASSERT_TRUE((*store)->put(key, winner(10)));
  ASSERT_TRUE((*store)->refute(key, samplePlan(), "result 0 was wrong"));
  EXPECT_FALSE((*store)->find(key)->has_value());
  ASSERT_TRUE((*store)->put(key, winner(5)));
  EXPECT_FALSE((*store)->find(key)->has_value());
  EXPECT_EQ(**(*store)->refuted(key, samplePlan()), "result 0 was wrong");

  StoreEntry other = winner(20);
  other.plan.title = "another";
  EXPECT_FALSE((*store)->refuted(key, other.plan)->has_value());
  ASSERT_TRUE((*store)->put(key, other));
  EXPECT_EQ(storedMicroseconds(**store), 20);
  // Refuting a plan that is not the stored one leaves the stored one.
  ASSERT_TRUE((*store)->refute(key, samplePlan(), "again"));
  EXPECT_EQ(storedMicroseconds(**store), 20);
}

TEST(Store, AStoreOfTheFirstVersionIsTakenOver) {
  TemporaryDirectory folder;
  ASSERT_TRUE((*openStore(folder.str()))->put(key, winner(10)));
  sqlite3 *database = nullptr;
  sqlite3_open((folder / "store.sqlite").c_str(), &database);
  sqlite3_exec(database, "DROP TABLE refuted; PRAGMA user_version = 1", nullptr,
               nullptr, nullptr);
  sqlite3_close(database);
  auto store = openStore(folder.str());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(storedMicroseconds(**store), 10);
  EXPECT_TRUE((*store)->refute(key, samplePlan(), "wrong"));
}

TEST(Store, EveryPartOfTheKeyCounts) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  ASSERT_TRUE((*store)->put(key, winner(10)));
  const StoreKey others[] = {{"abd", "sm_90a", "torch", Evidence::Measured, 1},
                             {"abc", "sm_90", "torch", Evidence::Measured, 1},
                             {"abc", "sm_90a", "tf32", Evidence::Measured, 1},
                             {"abc", "sm_90a", "torch", Evidence::Simulated, 1},
                             {"abc", "sm_90a", "torch", Evidence::Measured, 2}};
  for (const StoreKey &other : others)
    EXPECT_FALSE((*store)->find(other)->has_value());
}

TEST(Store, SeveralProcessesWrite) {
  TemporaryDirectory folder;
  for (int child = 0; child < 4; ++child)
    if (fork() == 0) {
      auto store = openStore(folder.str());
      bool ok = store.has_value();
      for (int i = 20; ok && i > 0; --i)
        ok = (*store)->put(key, winner(i * 4 + child)).has_value();
      _exit(ok ? 0 : 1);
    }
  for (int child = 0; child < 4; ++child) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  auto store = openStore(folder.str());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(storedMicroseconds(**store), 4);
}

TEST(Store, BadFilesAreNamed) {
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

TEST(Store, NewerVersionIsRefused) {
  TemporaryDirectory folder;
  ASSERT_TRUE(openStore(folder.str()));
  sqlite3 *database = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "store.sqlite").c_str(), &database), 0);
  sqlite3_exec(database, "PRAGMA user_version = 99", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  auto store = openStore(folder.str());
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("has version 99"), std::string::npos);
}

TEST(Store, DefaultDirectory) {
  setenv("KERNELCLAW_CACHE", "/ours", 1);
  EXPECT_EQ(*defaultCacheDirectory(), "/ours");
  unsetenv("KERNELCLAW_CACHE");
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(*defaultCacheDirectory(), "/xdg/kernelclaw");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(*defaultCacheDirectory(), "/home/me/.cache/kernelclaw");
  unsetenv("HOME");
  EXPECT_FALSE(defaultCacheDirectory());
}

} // namespace
