//===- JobClaimsTest.cpp - One mailbox, several workers -------------------===//
#include "JobClaims.h"
#include "Files.h"
#include "TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kclaw;
namespace fs = std::filesystem;

namespace {

struct Mailbox {
  TemporaryDirectory folder;
  fs::path path = fs::path(folder.str()) / "mail box";

  explicit Mailbox(int jobs) {
    fs::create_directories(path / "jobs");
    for (int i = 0; i < jobs; ++i)
      std::ofstream(job(i)) << "{}";
  }
  fs::path job(int i) const {
    return path / "jobs" / ("job-" + std::to_string(i) + ".json");
  }
  std::unique_ptr<JobClaims> open() const {
    auto claims = JobClaims::open(path);
    EXPECT_TRUE(claims) << claims.error().message;
    return std::move(*claims);
  }
  /// As if `claimant` had it, last renewed so long ago.
  void claimedBy(const std::string &claimants, double secondsAgo = 0) const {
    fs::create_directories(path / "claims");
    fs::path claim = path / "claims" / ("0.json" + claimants);
    fs::rename(job(0), claim);
    timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= time_t(secondsAgo);
    times[1] = times[0];
    ASSERT_EQ(utimensat(AT_FDCWD, claim.c_str(), times, 0), 0);
  }
};

/// The name of a process that has ended.
std::string deadClaimant() {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    std::string name = claimantName();
    (void)!write(ends[1], name.data(), name.size());
    _exit(0);
  }
  char name[256] = {};
  EXPECT_GT(read(ends[0], name, sizeof name - 1), 0);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return name;
}

} // namespace

TEST(JobClaims, AJobIsOnlyOnes) {
  Mailbox mailbox(3);
  auto one = mailbox.open(), two = mailbox.open();
  auto a = one->next(), b = two->next(), c = one->next();
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ((std::set{a->name, b->name, c->name}),
            (std::set<std::string>{"0.json", "1.json", "2.json"}));
  EXPECT_FALSE(two->next());
  EXPECT_TRUE(isClaimed(mailbox.path, "0.json"));
  EXPECT_FALSE(isClaimed(mailbox.path, "0"));
}

TEST(JobClaims, AnAnsweredJobGoesBackAndIsNotClaimedAgain) {
  Mailbox mailbox(1);
  auto claims = mailbox.open();
  auto claim = claims->next();
  ASSERT_TRUE(claim);
  EXPECT_FALSE(fs::exists(mailbox.job(0)));
  ASSERT_TRUE(writeFileAtomically(claim->result.string(), "{}"));
  claims->giveBack(*claim);
  EXPECT_TRUE(fs::exists(mailbox.job(0)));
  EXPECT_FALSE(claims->next());
  EXPECT_FALSE(isClaimed(mailbox.path, "0.json"));
}

TEST(JobClaims, WhoEndsGivesBackWhatItHolds) {
  Mailbox mailbox(1);
  {
    ASSERT_TRUE(mailbox.open()->next());
  }
  EXPECT_TRUE(fs::exists(mailbox.job(0)));
}

TEST(JobClaims, ADeadProcessesJobIsTakenOver) {
  std::string dead = deadClaimant();
  EXPECT_TRUE(isKnownDead(dead));
  EXPECT_FALSE(isKnownDead(claimantName()));
  EXPECT_FALSE(isKnownDead("another-host.1.2.3"));
  Mailbox mailbox(1);
  mailbox.claimedBy("@" + dead);
  auto claim = mailbox.open()->next();
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->name, "0.json");
  EXPECT_EQ(claim->dead, std::vector<std::string>{dead});
}

TEST(JobClaims, AnotherHostsClaimIsDeadWhenNobodyRenewsIt) {
  Mailbox mailbox(1);
  mailbox.claimedBy("@another-host.1.2.3", claimStaleSeconds - 20);
  EXPECT_FALSE(mailbox.open()->next());
  EXPECT_EQ(mailbox.open()->heldByOthers(), 1u);
  fs::rename(mailbox.path / "claims" / "0.json@another-host.1.2.3",
             mailbox.job(0));
  mailbox.claimedBy("@another-host.1.2.3", claimStaleSeconds + 20);
  auto claims = mailbox.open();
  auto claim = claims->next();
  ASSERT_TRUE(claim);
  // Taken over, it is fresh: nobody else sees an old claim.
  EXPECT_FALSE(mailbox.open()->next());
}

TEST(JobClaims, WhatDiedAfterItsAnswerIsPutBackUnjudged) {
  Mailbox mailbox(1);
  mailbox.claimedBy("@" + deadClaimant());
  fs::create_directories(mailbox.path / "results");
  std::ofstream(mailbox.path / "results" / "result-0.json") << "{}";
  EXPECT_FALSE(mailbox.open()->next());
  EXPECT_TRUE(fs::exists(mailbox.job(0)));
}

TEST(JobClaims, AMailboxThatIsNotThereIsNamed) {
  auto none = JobClaims::open("/nonexistent/mail box");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("/nonexistent/mail box/jobs"),
            std::string::npos);
}
