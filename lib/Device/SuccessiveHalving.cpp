//===- SuccessiveHalving.cpp - The fastest of many, cheaply ---------------===//
#include "SuccessiveHalving.h"
#include "Statistics.h"

#include <algorithm>
#include <numeric>

namespace kclaw {

static void rank(HalvingResult &result) {
  for (size_t i = 0; i < result.contestants.size(); ++i)
    if (const Contestant &each = result.contestants[i];
        each.rung > 0 && !each.failed)
      result.ranking.push_back(i);
  std::ranges::stable_sort(result.ranking, [&](size_t a, size_t b) {
    const Contestant &left = result.contestants[a];
    const Contestant &right = result.contestants[b];
    return left.rung != right.rung ? left.rung > right.rung
                                   : left.median < right.median;
  });
}

HalvingResult successiveHalving(size_t count, const HalvingOptions &options,
                                const Measure &measure,
                                const std::function<bool()> &goOn) {
  HalvingResult result;
  result.contestants.resize(count);
  std::vector<size_t> left(count);
  std::iota(left.begin(), left.end(), size_t{0});
  size_t samples = options.exact ? 1 : options.firstSamples;
  for (int rung = 1; !left.empty() && !result.cutShort; ++rung) {
    std::vector<size_t> timed;
    for (size_t i : left) {
      if (!goOn()) {
        result.cutShort = true;
        break;
      }
      Contestant &each = result.contestants[i];
      each.failed = !measure(i, samples, each.samples);
      if (each.failed)
        continue;
      each.rung = rung;
      each.median = median(each.samples);
      timed.push_back(i);
    }
    std::ranges::stable_sort(
        timed, {}, [&](size_t i) { return result.contestants[i].median; });
    bool last =
        options.exact || timed.size() <= 1 || samples >= options.maxSamples;
    // The last two meet until both have many samples.
    timed.resize(
        std::max((timed.size() + 1) / 2, std::min<size_t>(timed.size(), 2)));
    left = last ? std::vector<size_t>() : std::move(timed);
    samples *= 2;
  }
  rank(result);
  return result;
}

} // namespace kclaw
