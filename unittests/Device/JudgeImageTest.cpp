//===- JudgeImageTest.cpp - Only what was made from the same is used ------===//
#include "JudgeImage.h"
#include "../TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

using namespace kclaw;

static const JudgeImageKey key{"source", "sm_90", "13.0"};

static ModuleImage sample() {
  return {"judge", "sm_90", ".version 8.0", {0, 1, 255}, {}};
}

TEST(JudgeImage, RoundTrip) {
  auto image = unpackJudgeImage(key, packJudgeImage(key, sample()));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->ptx, ".version 8.0");
  EXPECT_EQ(image->cubin, (std::vector<uint8_t>{0, 1, 255}));
}

TEST(JudgeImage, AnotherSourceArchitectureOrCompilerIsAnother) {
  std::string text = packJudgeImage(key, sample());
  for (JudgeImageKey other : {JudgeImageKey{"other", "sm_90", "13.0"},
                              JudgeImageKey{"source", "sm_100", "13.0"},
                              JudgeImageKey{"source", "sm_90", "13.1"}})
    EXPECT_FALSE(unpackJudgeImage(other, text));
}

TEST(JudgeImage, WhatIsDamagedIsNotUsed) {
  std::string text = packJudgeImage(key, sample());
  EXPECT_FALSE(unpackJudgeImage(key, text.substr(0, text.size() - 1)));
  EXPECT_FALSE(unpackJudgeImage(key, ""));
  std::string flipped = text;
  flipped[flipped.find(".version") + 1] ^= 1;
  EXPECT_FALSE(unpackJudgeImage(key, flipped));
}

TEST(JudgeImage, IsCompiledOnceForACacheDirectory) {
  TemporaryDirectory folder;
  std::string cache = folder / "cache";
  ASSERT_EQ(setenv("KERNELCLAW_CACHE", cache.c_str(), 1), 0);
  auto first = judgeImage("sm_90", KCLAW_WORKER);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(first->cubin.empty());
  // Nobody compiles now: the worker's path is wrong.
  auto second = judgeImage("sm_90", "/no/worker");
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->cubin, first->cubin);
  EXPECT_FALSE(judgeImage("sm_90", "/no/worker", /*fresh=*/true));
  unsetenv("KERNELCLAW_CACHE");
}
