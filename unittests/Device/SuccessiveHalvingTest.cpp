// successiveHalving on invented times: the fastest wins, bad ones drop out
// early, failures are out, and the cap ends it with what is known.
#include "SuccessiveHalving.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

/// Contestant i always takes `times[i]`; counts the samples taken.
struct Times {
  std::vector<double> times;
  size_t failing = size_t(-1);
  size_t samples = 0;
  std::vector<size_t> taken = std::vector<size_t>(times.size());

  Measure measure() {
    return [this](size_t index, size_t count, std::vector<double> &into) {
      samples += count;
      taken[index] += count;
      into.insert(into.end(), count, times[index]);
      return index != failing;
    };
  }
};

const auto always = [] { return true; };

TEST(SuccessiveHalving, TheFastestIsFirstAndGotMostSamples) {
  Times times{{8, 3, 5, 1, 9, 2, 7, 4}};
  HalvingResult result = successiveHalving(8, {}, times.measure(), always);
  ASSERT_EQ(result.ranking.size(), 8u);
  EXPECT_EQ(result.ranking[0], 3u);
  EXPECT_EQ(result.ranking[1], 5u);
  EXPECT_EQ(result.ranking[7], 4u);
  // 8 x 3, 4 x 6, 2 x 12, 2 x 24.
  EXPECT_EQ(times.taken[4], 3u);
  EXPECT_EQ(times.taken[7], 9u);
  EXPECT_EQ(times.taken[3], 45u);
  EXPECT_EQ(result.contestants[3].rung, 4);
  EXPECT_EQ(result.contestants[4].rung, 1);
  EXPECT_FALSE(result.cutShort);
}

TEST(SuccessiveHalving, AnEstimateIsTakenOnce) {
  Times times{{3, 1, 2}};
  HalvingOptions exact;
  exact.exact = true;
  HalvingResult result = successiveHalving(3, exact, times.measure(), always);
  EXPECT_EQ(times.samples, 3u);
  EXPECT_EQ(result.ranking, (std::vector<size_t>{1, 2, 0}));
}

TEST(SuccessiveHalving, AFailureIsOut) {
  Times times{{3, 1, 2}, 1};
  HalvingResult result = successiveHalving(3, {}, times.measure(), always);
  EXPECT_EQ(result.ranking, (std::vector<size_t>{2, 0}));
  EXPECT_TRUE(result.contestants[1].failed);
  EXPECT_EQ(result.contestants[1].rung, 0);
}

TEST(SuccessiveHalving, TheCapKeepsWhatIsKnown) {
  Times times{{3, 1, 2}};
  HalvingResult result = successiveHalving(3, {}, times.measure(),
                                           [&] { return times.samples < 6; });
  EXPECT_TRUE(result.cutShort);
  EXPECT_EQ(result.ranking, (std::vector<size_t>{1, 0}));
  EXPECT_EQ(result.contestants[2].rung, 0);
}

TEST(SuccessiveHalving, OneContestantIsTimedOnce) {
  Times times{{3}};
  HalvingResult result = successiveHalving(1, {}, times.measure(), always);
  EXPECT_EQ(times.samples, 3u);
  EXPECT_EQ(result.ranking, std::vector<size_t>{0});
}

TEST(SuccessiveHalving, NobodyIsNoResult) {
  Times times;
  EXPECT_TRUE(
      successiveHalving(0, {}, times.measure(), always).ranking.empty());
}

} // namespace
