//===- KernelTest.h - Common ground of the kernel tests ---------*- C++ -*-===//
//
// The repository's memory bank, the plans it has for a spec, sample data, and
// the comparison with expected values.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_EXPERT_KERNELTEST_H
#define KERNELCLAW_UNITTESTS_EXPERT_KERNELTEST_H

#include "Emulator.h"
#include "Expert/Candidates.h"
#include "SpecBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kclaw::test {

inline const expert::MemoryBank &memoryBank() {
  static const Expected<expert::MemoryBank> bank =
      expert::loadMemoryBank(KCLAW_TEST_MEMORYBANK);
  if (!bank)
    ADD_FAILURE() << bank.error().message;
  return *bank;
}

/// Plans for `spec`, best first, at most one per skeleton.
inline std::vector<Plan> plansOf(const KernelSpec &spec) {
  Expected<expert::Region> region = expert::analyse(spec, memoryBank());
  if (!region) {
    ADD_FAILURE() << region.error().message;
    return {};
  }
  Expected<std::vector<expert::Candidate>> candidates =
      expert::rankCandidates(*region, memoryBank());
  if (!candidates) {
    ADD_FAILURE() << candidates.error().message;
    return {};
  }
  std::vector<Plan> plans;
  std::vector<const expert::Skeleton *> seen;
  for (const expert::Candidate &candidate : *candidates) {
    if (std::find(seen.begin(), seen.end(), candidate.skeleton) != seen.end())
      continue;
    seen.push_back(candidate.skeleton);
    Expected<Plan> plan = expert::instantiate(*region, candidate, memoryBank());
    if (plan)
      plans.push_back(*plan);
    else
      ADD_FAILURE() << plan.error().message;
  }
  EXPECT_FALSE(plans.empty()) << "no skeleton serves this region";
  return plans;
}

inline std::vector<double> normal(size_t count, unsigned seed, double scale = 1,
                                  double mean = 0) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> draw(mean, scale);
  std::vector<double> values(count);
  for (double &value : values)
    value = float(draw(generator));
  return values;
}

/// Equal NaN and infinities, else |got - want| <= bound * max(1, max |want|).
inline void expectClose(const std::vector<double> &got,
                        const std::vector<double> &want, double bound,
                        const std::string &what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  double scale = 1;
  for (double value : want)
    if (std::isfinite(value))
      scale = std::max(scale, std::abs(value));
  for (size_t i = 0; i < want.size(); ++i) {
    bool same = std::isnan(want[i]) ? std::isnan(got[i])
                : std::isinf(want[i])
                    ? got[i] == want[i]
                    : std::abs(got[i] - want[i]) <= bound * scale;
    ASSERT_TRUE(same) << what << ": element " << i << " is " << got[i]
                      << ", expected " << want[i];
  }
}

/// Every plan the memory bank has for `spec` computes `want`.
inline void expectAllPlans(const KernelSpec &spec,
                           const std::vector<std::vector<double>> &arguments,
                           const std::vector<std::vector<double>> &want,
                           double bound) {
  for (const Plan &plan : plansOf(spec)) {
    // Blocks of a cluster run together; the emulation runs one at a time.
    if (std::get<KernelStep>(plan.steps[0]).cluster[0].str() != "1")
      continue;
    EmulationResult run = emulate(plan, spec, arguments);
    ASSERT_EQ(run.error, "") << plan.title;
    ASSERT_EQ(run.results.size(), want.size()) << plan.title;
    for (size_t i = 0; i < want.size(); ++i)
      expectClose(run.results[i], want[i], bound,
                  plan.title + ", result " + std::to_string(i));
  }
}

} // namespace kclaw::test

#endif // KERNELCLAW_UNITTESTS_EXPERT_KERNELTEST_H
