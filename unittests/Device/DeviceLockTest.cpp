//===- DeviceLockTest.cpp - Two workers on one device ---------------------===//
#include "DeviceLock.h"
#include "TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <unistd.h>

using namespace kclaw;

namespace {

struct Locks : testing::Test {
  TemporaryDirectory folder;
  std::atomic<int> waits = 0;
  std::function<void()> say = [this] { ++waits; };

  DeviceLock lock(const std::string &uuid) {
    return DeviceLock(uuid, folder.str());
  }
};

} // namespace

TEST_F(Locks, OneHoldsIt) {
  DeviceLock one = lock("GPU-1"), two = lock("GPU-1");
  ASSERT_TRUE(one.hold(0, say));
  EXPECT_EQ(one.hold(0, say).value_or(-1), 0); // it has it already
  EXPECT_EQ(waits, 0);
  auto refused = two.hold(0.05, say);
  ASSERT_FALSE(refused);
  EXPECT_EQ(waits, 1);
  EXPECT_EQ(refused.error().code, Error::Code::Budget);
  EXPECT_NE(refused.error().message.find("process " + std::to_string(getpid())),
            std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().message.find("kernelclaw-GPU-1.lock"),
            std::string::npos);
  one.release();
  EXPECT_TRUE(two.hold(0.05, say));
}

TEST_F(Locks, TheSecondGoesOnWhenTheFirstIsDone) {
  DeviceLock one = lock("GPU-1"), two = lock("GPU-1");
  ASSERT_TRUE(one.hold(0, say));
  std::thread other([&] {
    auto waited = two.hold(20, say);
    EXPECT_TRUE(waited);
    EXPECT_GT(waited.value_or(0), 0);
  });
  while (waits == 0)
    std::this_thread::yield();
  one.release();
  other.join();
}

TEST_F(Locks, AnotherDeviceAndNoDeviceAreFree) {
  DeviceLock one = lock("GPU-1"), two = lock("GPU-2");
  DeviceLock none, alsoNone;
  for (DeviceLock *each : {&one, &two, &none, &alsoNone})
    EXPECT_TRUE(each->hold(0, say));
}

TEST_F(Locks, WhoEndsGivesItUp) {
  {
    ASSERT_TRUE(lock("GPU-1").hold(0, say));
  }
  EXPECT_TRUE(lock("GPU-1").hold(0, say));
}

TEST_F(Locks, AFolderThatIsNotThereIsAnError) {
  auto failed = DeviceLock("GPU-1", folder / "absent").hold(0, say);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Error::Code::Io);
}
