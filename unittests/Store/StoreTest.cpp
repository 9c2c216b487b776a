// The store: what goes in comes out, the faster winner stays, every part of
// the key counts, several processes may write.
#include "SampleStore.h"
#include "kernelclaw/Support/CacheDirectory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kclaw;

namespace {

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

TEST(Store, WhatWasKeptRemembersItsStock) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  ASSERT_TRUE(store) << store.error().message;
  StoreEntry kept;
  kept.reason = "nothing to offer";
  ASSERT_TRUE((*store)->put(key, kept));
  auto found = (*store)->find(key);
  ASSERT_TRUE(found && *found);
  EXPECT_FALSE((*found)->evaluation.stock.isDecided());
  kept.plan = samplePlan();
  kept.evaluation.evidence = Evidence::Measured;
  kept.evaluation.stock = {true, "", 30, 20, {{"steps[0]", "algo 7", 20, 64}}};
  ASSERT_TRUE((*store)->put(key, kept));
  found = (*store)->find(key);
  ASSERT_TRUE(found && *found);
  EXPECT_FALSE((*found)->won);
  EXPECT_EQ((*found)->reason, "nothing to offer");
  EXPECT_EQ(toJson((*found)->plan), toJson(kept.plan));
  EXPECT_EQ(toJson((*found)->evaluation), toJson(kept.evaluation));
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

TEST(Store, AKeyCanBeRemoved) {
  TemporaryDirectory folder;
  auto store = openStore(folder.str());
  ASSERT_TRUE((*store)->put(key, winner(10)));
  EXPECT_FALSE(*(*store)->remove(key.deterministic()));
  EXPECT_TRUE(*(*store)->remove(key));
  EXPECT_EQ(storedMicroseconds(**store), -1);
  // Removed is not refuted: it may come again.
  ASSERT_TRUE((*store)->put(key, winner(10)));
  EXPECT_EQ(storedMicroseconds(**store), 10);
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
