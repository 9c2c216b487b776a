//===- WorkerPoolTest.cpp - Jobs among workers, some of which die ---------===//
//
// Workers are shell scripts; no GPU, no NVRTC.
//
//===----------------------------------------------------------------------===//
#include "WorkerPool.h"
#include "DeviceOrdinal.h"
#include "TemporaryDirectory.h"
#include "WorkerPlan.h"
#include "kernelclaw/Device/Evaluator.h"
#include "kernelclaw/Device/Worker.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

using namespace kclaw;

namespace {

Job namedJob(const std::string &id, const std::string &region = "r") {
  Job job;
  job.id = id;
  job.spec.specHash = region;
  job.timeoutSeconds = 5;
  return job;
}

/// Answers every job with `members` beside its id; FOLDER/log gets a line
/// "NAME ID" a job.
std::string answering(const std::string &members) {
  return "echo '# ready'; while read -r l; do id=${l#*'\"id\":\"'}; "
         "id=${id%%'\"'*}; echo \"$name $id\" >> log; echo "
         "\"{\\\"jobId\\\":\\\"$id\\\"," +
         members + "}\"; done";
}
const std::string ok = "\\\"outcome\\\":\\\"ok\\\",\\\"evidence\\\":\\"
                       "\"none\\\"";
std::string noVerdict(const std::string &rule) {
  return "\\\"outcome\\\":\\\"rejected\\\",\\\"evidence\\\":\\\"none\\\","
         "\\\"rule\\\":\\\"" +
         rule + "\\\",\\\"message\\\":\\\"$name says " + rule + "\\\"";
}
/// Is killed with its first job, and answers when it is started again.
const std::string diesOnce = "if [ ! -e died-$name ]; then touch died-$name; "
                             "echo '# ready'; read l; echo '# timing'; "
                             "kill -KILL $$; fi; " +
                             answering(ok);
const std::string dies = "echo '# ready'; read l; echo '# timing'; "
                         "kill -KILL $$";

struct Pool {
  TemporaryDirectory folder;
  std::unique_ptr<WorkerPool> pool;

  explicit Pool(const std::vector<std::string> &scripts) {
    std::vector<WorkerProcess> workers;
    for (const std::string &script : scripts) {
      std::string name = "w" + std::to_string(workers.size());
      workers.emplace_back(
          WorkerCommand{
              "/bin/sh",
              {"-c", "cd \"$0\"; name=" + name + "; " + script, folder.str()}},
          false, name, WorkerLimits{5, 1});
    }
    pool = std::make_unique<WorkerPool>(std::move(workers));
  }
  Expected<Evaluation> judge(const Job &job) { return pool->judge(job); }
  std::string log() {
    std::ifstream file(folder / "log");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

} // namespace

TEST(WorkerPool, AJobOfALostWorkerIsJudgedByAnother) {
  Pool pool({dies, answering(ok)});
  auto done = pool.judge(namedJob("a"));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->outcome, Outcome::Ok);
  EXPECT_EQ(pool.log(), "w1 a\n");
  EXPECT_EQ(done->lostWorkers,
            (std::vector<std::string>{
                "w0 ended while timing: killed by signal 9 (Killed)"}));
}

TEST(WorkerPool, ALoneWorkerIsStartedAgainForIt) {
  Pool pool({diesOnce});
  auto done = pool.judge(namedJob("a"));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->outcome, Outcome::Ok);
  EXPECT_EQ(done->lostWorkers.size(), 1u);
}

TEST(WorkerPool, TwoLostWorkersAreTheJobsFaultWithBothLastWords) {
  Pool pool({dies, dies});
  auto done = pool.judge(namedJob("a"));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->outcome, Outcome::Fault);
  EXPECT_EQ(done->rule, workerLostRule);
  EXPECT_EQ(done->jobId, "a");
  EXPECT_EQ(done->message,
            "two workers were lost while they judged this job: w0 ended while "
            "timing: killed by signal 9 (Killed); then w1 ended while timing: "
            "killed by signal 9 (Killed)");
}

TEST(WorkerPool, ACrashIsTheCandidatesAndIsNotRepeated) {
  Pool pool({"echo '# ready'; read l; kill -SEGV $$", answering(ok)});
  auto done = pool.judge(namedJob("a"));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->rule, "worker-crash");
  EXPECT_EQ(pool.log(), "");
}

TEST(WorkerPool, ALostDeviceIsALostWorker) {
  Pool pool({answering(noVerdict(deviceLostRule)), answering(ok)});
  auto done = pool.judge(namedJob("a"));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->outcome, Outcome::Ok);
  EXPECT_EQ(pool.log(), "w0 a\nw1 a\n");
  EXPECT_EQ(done->lostWorkers,
            (std::vector<std::string>{"w0 says device-lost"}));
}

TEST(WorkerPool, WhatIsNoAnswerToTheJobIsALostWorker) {
  for (const char *line : {"{\"jobId\":", "nonsense",
                           "{\"jobId\":\"b\",\"outcome\":\"ok\","
                           "\"evidence\":\"none\"}"}) {
    Pool pool(
        {"echo '# ready'; read l; echo '" + std::string(line) + "'; read l",
         answering(ok)});
    auto done = pool.judge(namedJob("a"));
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->outcome, Outcome::Ok);
    EXPECT_EQ(done->lostWorkers.size(), 1u);
  }
}

TEST(WorkerPool, ABusyDeviceOnlySendsTheJobElsewhere) {
  Pool pool({answering(noVerdict(deviceBusyRule)), answering(ok)});
  auto done = pool.judge(namedJob("a"));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->outcome, Outcome::Ok);
  EXPECT_TRUE(done->lostWorkers.empty());
  Pool alone({answering(noVerdict(deviceBusyRule))});
  for (int i = 0; i < 2; ++i) { // it is asked again
    auto none = alone.judge(namedJob("a"));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Error::Code::Unavailable);
    EXPECT_EQ(none.error().message, "w0 says device-busy");
  }
  EXPECT_EQ(alone.log(), "w0 a\nw0 a\n");
}

TEST(WorkerPool, WhoDoesNotStartOrHasNoDeviceGetsNoFurtherJob) {
  Pool pool({"exit 3", answering(noVerdict(unavailableRule)), answering(ok)});
  for (const char *id : {"a", "b"})
    ASSERT_TRUE(pool.judge(namedJob(id)));
  EXPECT_EQ(pool.log(), "w1 a\nw2 a\nw2 b\n");
  Pool none({"exit 3", answering(noVerdict(unavailableRule))});
  auto done = none.judge(namedJob("a"));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Error::Code::Unavailable);
  for (const char *why :
       {"does not start", "exit code 3", "w1 says unavailable"})
    EXPECT_NE(done.error().message.find(why), std::string::npos)
        << done.error().message;
}

TEST(WorkerPool, WithoutADeviceJobsThatNeedNoneAreStillJudged) {
  Pool pool({answering(
      "$(case \"$l\" in *compile*) echo '" +
      std::string(R"("outcome":"ok","evidence":"none")") + "';; *) echo '" +
      R"("outcome":"rejected","evidence":"none",)" +
      R"("rule":"unavailable","message":"none here")" + "';; esac)")});
  EXPECT_FALSE(pool.judge(namedJob("a")));
  EXPECT_FALSE(pool.judge(namedJob("b")));
  Job compile = namedJob("c");
  compile.kind = Job::Kind::Compile;
  auto done = pool.judge(compile);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->outcome, Outcome::Ok);
  EXPECT_EQ(pool.log(), "w0 a\nw0 c\n");
}

// Two workers meet: neither answers before both have a job.
TEST(WorkerPool, JobsAreJudgedAtOnce) {
  std::string meets = "echo '# ready'; read -r l; touch here-$name; while [ ! "
                      "-e here-w0 ] || [ ! -e here-w1 ]; do sleep 0.01; done; "
                      "id=${l#*'\"id\":\"'}; id=${id%%'\"'*}; echo "
                      "\"{\\\"jobId\\\":\\\"$id\\\"," +
                      ok + "}\"; read l";
  Pool pool({meets, meets});
  auto first = std::async([&] { return pool.judge(namedJob("a", "r1")); });
  auto second = std::async([&] { return pool.judge(namedJob("b", "r2")); });
  for (auto *each : {&first, &second}) {
    auto done = each->get();
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->outcome, Outcome::Ok);
  }
}

TEST(WorkerPool, ARegionStaysWithTheWorkerThatKnowsIt) {
  Pool pool({answering(ok), answering(ok)});
  for (auto [id, region] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"a", "r1"}, {"b", "r2"}, {"c", "r1"}, {"d", "r2"}, {"e", "r1"}})
    ASSERT_TRUE(pool.judge(namedJob(id, region)));
  EXPECT_EQ(pool.log(), "w0 a\nw1 b\nw0 c\nw1 d\nw0 e\n");
}

TEST(WorkerPlan, SimulatedWorkersAreDevicesOfTheirOwn) {
  auto plan = planWorkers({"sim", "/w", "env A=1", 2, false});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->simulated);
  ASSERT_EQ(plan->commands.size(), 2u);
  EXPECT_EQ(plan->commands[1].executable, "env");
  EXPECT_EQ(
      plan->commands[1].args,
      (std::vector<std::string>{"A=1", "/w", "--child", "--device=sim:1"}));
  auto real = planWorkers({"cuda", "/w", "env A=1", 2, false});
  ASSERT_TRUE(real);
  EXPECT_EQ(real->commands[1].args.back(), "--device=cuda");
}

TEST(DeviceOrdinal, IsOneOfTheDevicesThatCanBeSeen) {
  EXPECT_EQ(visibleEntry(nullptr, 3).value_or(""), "3");
  EXPECT_EQ(visibleEntry("2, GPU-7a,5", 1).value_or(""), "GPU-7a");
  auto beyond = visibleEntry("2,5", 2);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message,
            "no device number 2: CUDA_VISIBLE_DEVICES='2,5' shows 2");
  EXPECT_EQ(parseDevice("sim:4")->ordinal, 4);
  EXPECT_FALSE(parseDevice("cuda")->ordinal);
  for (const char *bad : {"", "tpu", "cuda:", "cuda:-1", "cuda:1x", "none:1"})
    EXPECT_FALSE(parseDevice(bad)) << bad;
}
