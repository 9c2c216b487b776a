//===- JudgedSizesTest.cpp - Which sizes, and what is kept of them --------===//
#include "JudgedSizes.h"

#include <gtest/gtest.h>

using namespace kclaw;

static Dim dynamic(const char *name, int64_t min,
                   std::vector<int64_t> samples) {
  Dim dim;
  dim.name = name;
  dim.min = min;
  dim.max = 1 << 20;
  dim.samples = std::move(samples);
  return dim;
}

static Dim fixed(const char *name, int64_t value) {
  Dim dim;
  dim.name = name;
  dim.value = value;
  return dim;
}

/// One argument and one result of these dimensions; all plans resizable.
static Job jobOf(std::vector<Dim> dims) {
  Job job;
  TensorSpec tensor;
  tensor.dims = std::move(dims);
  job.spec.arguments = {tensor};
  job.spec.results = {tensor};
  job.candidate.resizable = job.stock.resizable = job.reference.resizable =
      true;
  return job;
}

/// A static region of rows x 8192 with two reduced problems.
static Job staticJob(int64_t rows) {
  Job job = jobOf({fixed("d0", rows), fixed("d1", 8192)});
  for (int64_t cols : {256, 255}) {
    Job small = jobOf({fixed("d0", 512), fixed("d1", cols)});
    job.reduced.push_back({small.spec, small.stock, small.reference});
  }
  job.images = {{"main", "sm_90a", "ptx", {}, {}}};
  return job;
}

TEST(ReducedJobs, AResizablePlanOfALargeRegionIsJudgedAtEach) {
  std::vector<Job> jobs = reducedJobs(staticJob(8192));
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].spec.arguments[0].dims[1].value, 256);
  EXPECT_TRUE(jobs[0].images.empty()); // compiled for other sizes
  EXPECT_TRUE(jobs[0].reduced.empty());
}

TEST(ReducedJobs, WhereRequirementsDoNotHoldItIsNot) {
  Job job = staticJob(8192);
  job.candidate.requirements = {"d1 % 4 == 0"};
  std::vector<Job> jobs = reducedJobs(job);
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].spec.arguments[0].dims[1].value, 256);
}

TEST(ReducedJobs, SmallRegionsAndPlansOfOneSizeKeepTheirs) {
  EXPECT_TRUE(reducedJobs(staticJob(16)).empty());
  Job job = staticJob(8192);
  job.candidate.resizable = false;
  EXPECT_TRUE(reducedJobs(job).empty());
}

TEST(JudgedSizes, SmallSizesStayOnTheSimulator) {
  auto sizes =
      chooseSizes(jobOf({dynamic("rows", 1, {37, 5}), fixed("d1", 64)}),
                  /*simulated=*/true);
  ASSERT_TRUE(sizes);
  EXPECT_FALSE(sizes->reduced);
  ASSERT_EQ(sizes->problems.size(), 3u);
  EXPECT_EQ(sizes->problems[1].dims.at("rows"), 5);
  EXPECT_EQ(sizes->problems[2].dims.at("rows"), 14);
}

TEST(JudgedSizes, AResizablePlanHasTwoOtherSizesOneOddOneEven) {
  for (bool simulated : {false, true}) {
    auto sizes = chooseSizes(jobOf({dynamic("rows", 1, {64}), fixed("d1", 64)}),
                             simulated);
    ASSERT_TRUE(sizes);
    ASSERT_EQ(sizes->problems.size(), 3u);
    EXPECT_EQ(sizes->problems[0].dims.at("rows"), 64);
    EXPECT_EQ(sizes->problems[1].dims.at("rows"), 63);
    EXPECT_EQ(sizes->problems[2].dims.at("rows"), 22);
  }
  // Three samples: the odd size is the fourth.
  auto many = chooseSizes(
      jobOf({dynamic("rows", 1, {64, 32, 8}), fixed("d1", 64)}), false);
  ASSERT_TRUE(many);
  ASSERT_EQ(many->problems.size(), 4u);
  EXPECT_EQ(many->problems[3].dims.at("rows"), 63);
}

TEST(JudgedSizes, OtherSizesStayInRangeAndKeepRequirements) {
  auto narrow =
      chooseSizes(jobOf({dynamic("rows", 64, {64}), fixed("d1", 64)}), false);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->problems.size(), 1u);
  Job job = jobOf({dynamic("rows", 1, {64}), fixed("d1", 64)});
  job.candidate.requirements = {"rows % 4 == 0"};
  auto even = chooseSizes(job, false);
  ASSERT_TRUE(even);
  EXPECT_EQ(even->problems.size(), 1u);
  job.candidate.resizable = false;
  EXPECT_EQ(chooseSizes(job, false)->problems.size(), 1u);
}

TEST(JudgedSizes, LargeOnesAreHalvedAndMadeOddOnTheSimulatorOnly) {
  Job job = jobOf({dynamic("rows", 2, {65536}), dynamic("cols", 300, {512})});
  auto real = chooseSizes(job, /*simulated=*/false);
  ASSERT_TRUE(real);
  EXPECT_FALSE(real->reduced);
  EXPECT_EQ(real->problems[0].dims.at("rows"), 65536);
  auto sizes = chooseSizes(job, /*simulated=*/true);
  ASSERT_TRUE(sizes);
  EXPECT_TRUE(sizes->reduced);
  ASSERT_EQ(sizes->problems.size(), 2u);
  const Problem &first = sizes->problems[0];
  EXPECT_LE(elementCount(first), reduceAboveElements);
  EXPECT_GT(elementCount(first), reduceAboveElements / 4);
  EXPECT_EQ(first.dims.at("rows"), 256);
  EXPECT_EQ(first.dims.at("cols"), 512) << "half would be below its minimum";
  EXPECT_EQ(sizes->problems[1].dims.at("rows"), 255);
  EXPECT_EQ(sizes->problems[1].dims.at("cols"), 511);
}

TEST(JudgedSizes, ARequirementRulesTheOddSizeOut) {
  for (Plan Job::*plan : {&Job::candidate, &Job::stock, &Job::reference}) {
    Job job = jobOf({dynamic("rows", 2, {65536}), fixed("d1", 512)});
    (job.*plan).requirements = {"rows % 4 == 0"};
    auto sizes = chooseSizes(job, true);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->problems.size(), 1u);
  }
}

TEST(JudgedSizes, WhatCannotBeShrunkKeepsItsSizeUpToALimit) {
  for (Plan Job::*plan : {&Job::candidate, &Job::stock, &Job::reference}) {
    Job job = jobOf({dynamic("rows", 1, {1024}), fixed("d1", 1024)});
    (job.*plan).resizable = false;
    auto sizes = chooseSizes(job, true);
    ASSERT_TRUE(sizes);
    EXPECT_FALSE(sizes->reduced);
    EXPECT_EQ(sizes->problems[0].dims.at("rows"), 1024);
  }

  auto large =
      chooseSizes(jobOf({fixed("d0", 1 << 13), fixed("d1", 1 << 10)}), true);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().outcome, Outcome::Rejected);
  EXPECT_EQ(large.error().rule, "simulation-size");
}

TEST(JudgedSizes, TheMessageSaysWhetherTheCandidateCanHelp) {
  auto messageOf = [](const Job &job) {
    auto sizes = chooseSizes(job, true);
    return sizes ? "" : sizes.error().message;
  };
  Job job = staticJob(8192);
  job.candidate.resizable = false;
  EXPECT_TRUE(whyNotSimulated(job.spec, job.reduced).empty());
  EXPECT_NE(messageOf(job).find("write a resizable plan"), std::string::npos);
  job.candidate.resizable = true;
  job.candidate.requirements = {"d1 % 1024 == 0"};
  EXPECT_NE(messageOf(job).find("requirements admit none of the smaller sizes "
                                "(d0=512, d1=256) (d0=512, d1=255)"),
            std::string::npos)
      << messageOf(job);
  // No reduced problem is small enough: the smallest is named, with its count.
  Job small = jobOf({fixed("d0", 4096), fixed("d1", 2048)});
  job.reduced = {{small.spec, small.stock, small.reference}};
  std::string why = whyNotSimulated(job.spec, job.reduced);
  EXPECT_NE(why.find("(d0=4096, d1=2048) has 16777216 elements"),
            std::string::npos)
      << why;
  EXPECT_NE(messageOf(job).find("no change of the candidate helps"),
            std::string::npos);
  EXPECT_TRUE(
      whyNotSimulated(
          jobOf({dynamic("rows", 1, {1 << 20}), fixed("d1", 8192)}).spec, {})
          .empty());
}

TEST(JudgedSizes, AResultOfAnotherSizeKeepsTheSamples) {
  Job job = jobOf({dynamic("rows", 1, {1024}), fixed("d1", 1024)});
  job.spec.results[0].dims[0] = dynamic("twice", 2, {2048});
  auto sizes = chooseSizes(job, true);
  ASSERT_TRUE(sizes);
  EXPECT_FALSE(sizes->reduced);
}
