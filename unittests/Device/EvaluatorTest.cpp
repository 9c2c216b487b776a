//===- EvaluatorTest.cpp - Workers that crash, hang, park and replay ------===//
//
// The local worker is played by shell scripts; no GPU.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Device/Evaluator.h"
#include "Files.h"
#include "Launcher.h"
#include "WorkerProcess.h"
#include "kernelclaw/Cuda/NvrtcApi.h"
#include "kernelclaw/Device/Worker.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace kclaw;
namespace fs = std::filesystem;

namespace {

class Worker : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             ("kclaw-" + std::to_string(getpid()) + "-" +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  /// A worker whose child runs this script.
  WorkerProcess worker(const std::string &script) {
    return WorkerProcess(
        WorkerCommand{"/bin/sh",
                      {"-c", "cd " + folder.string() + "; " + script}},
        /*verbose=*/false, "worker", limits);
  }
  static Evaluation parse(const Expected<std::string> &line) {
    EXPECT_TRUE(line) << line.error().message;
    auto evaluation = parseEvaluation(line ? *line : "");
    EXPECT_TRUE(evaluation) << evaluation.error().message;
    return evaluation ? *evaluation : Evaluation();
  }

  fs::path folder;
  WorkerLimits limits{5, 0};
};

std::string okLine(const std::string &id) {
  Evaluation evaluation;
  evaluation.jobId = id;
  evaluation.outcome = Outcome::Ok;
  return toJson(evaluation);
}

} // namespace

TEST_F(Worker, AnswersPassThrough) {
  WorkerProcess process = worker("echo '# ready'; while read l; do echo '# x'; "
                                 "echo '" +
                                 okLine("a") + "'; done");
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 5)).outcome, Outcome::Ok);
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 5)).outcome, Outcome::Ok);
  EXPECT_EQ(process.restarts(), 0);
}

TEST_F(Worker, ACrashIsTheResultAndTheNextJobGetsAFreshChild) {
  WorkerProcess process = worker(
      "echo '# ready'; read l; echo '# timing'; if [ -e once ]; then echo '" +
      okLine("b") + "'; read l; else touch once; kill -SEGV $$; fi");
  Evaluation crash = parse(process.judgeLine("{}", "a", 5));
  EXPECT_EQ(crash.outcome, Outcome::Fault);
  EXPECT_EQ(crash.rule, "worker-crash");
  EXPECT_EQ(crash.jobId, "a");
  EXPECT_NE(crash.message.find("timing"), std::string::npos);
  EXPECT_EQ(parse(process.judgeLine("{}", "b", 5)).outcome, Outcome::Ok);
  EXPECT_EQ(process.restarts(), 1);
}

// Nobody's candidate sends these: the job is not to blame.
TEST_F(Worker, AWorkerThatIsKilledOrGoesAwayIsLostWithItsLastWords) {
  for (auto [end, words] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"kill -KILL $$", "killed by signal 9 (Killed)"},
           {"kill -TERM $$", "killed by signal 15 (Terminated)"},
           {"exit 137", "exit code 137"},
           {"exit 1", "exit code 1"},
           {"exit 0", "exit code 0"},
           {"printf half; exit 255", "exit code 255"}}) {
    WorkerProcess process =
        worker("echo '# ready'; read l; echo '# timing'; " + std::string(end));
    auto lost = process.judgeLine("{}", "a", 5);
    ASSERT_FALSE(lost) << end;
    EXPECT_EQ(lost.error().code, Error::Code::Io);
    EXPECT_EQ(lost.error().message,
              "worker ended while timing: " + std::string(words));
  }
}

TEST_F(Worker, ALaunchersWordOnACrashIsBelieved) {
  WorkerProcess process = worker("echo '# ready'; read l; exit 139");
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 5)).rule, "worker-crash");
}

TEST_F(Worker, HalfALineWithoutAnEndIsATimeout) {
  WorkerProcess process = worker("echo '# ready'; read l; printf '{\"jobId'; "
                                 "exec sleep 600");
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 0.5)).outcome, Outcome::Timeout);
}

TEST_F(Worker, AFloodOfLinesEndsAtTheTimeLimit) {
  WorkerProcess process = worker("echo '# ready'; read l; exec yes '# noise'");
  Evaluation late = parse(process.judgeLine("{}", "a", 1));
  EXPECT_EQ(late.outcome, Outcome::Timeout);
  EXPECT_NE(late.message.find("while noise"), std::string::npos);
}

TEST_F(Worker, ALineWithoutEndIsALostWorker) {
  WorkerProcess process =
      worker("echo '# ready'; read l; exec tr '\\0' x < /dev/zero");
  auto lost = process.judgeLine("{}", "a", 60);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Error::Code::Io);
  EXPECT_NE(lost.error().message.find("bytes without an end of line"),
            std::string::npos)
      << lost.error().message;
}

TEST_F(Worker, OneThatClosesItsOutputButLivesIsWaitedForNoFurther) {
  WorkerProcess silent =
      worker("echo '# ready'; read l; exec >&-; exec sleep 600");
  EXPECT_EQ(parse(silent.judgeLine("{}", "a", 0.5)).outcome, Outcome::Timeout);
}

TEST_F(Worker, WaitingForADeviceIsNotTheJobsTime) {
  const std::string script =
      "echo '# ready'; read l; echo '# waiting for the device'; sleep 0.6; "
      "echo '# checking'; sleep 0.6; echo '" +
      okLine("a") + "'";
  WorkerProcess process = worker(script);
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 1)).outcome, Outcome::Ok);
  // ... and no reason to wait for ever.
  WorkerProcess longer = worker(script);
  EXPECT_EQ(parse(longer.judgeLine("{}", "a", 0.2)).outcome, Outcome::Timeout);
}

TEST_F(Worker, OneThatSaysNothingAtItsStartIsAnError) {
  limits.startSeconds = 0.3;
  WorkerProcess process = worker("exec sleep 600");
  auto line = process.judgeLine("{}", "a", 5);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, Error::Code::Unavailable);
}

TEST_F(Worker, AHangIsATimeout) {
  WorkerProcess process = worker("echo '# ready'; read l; echo '# checking'; "
                                 "exec sleep 600");
  Evaluation late = parse(process.judgeLine("{}", "a", 0.5));
  EXPECT_EQ(late.outcome, Outcome::Timeout);
  EXPECT_NE(late.message.find("checking"), std::string::npos);
}

TEST_F(Worker, ALostContextIsReplacedBeforeTheNextJob) {
  WorkerProcess process =
      worker("echo '# ready'; read l; echo '# context lost'; echo '" +
             okLine("a") + "'; exit 86");
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 5)).outcome, Outcome::Ok);
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 5)).outcome, Outcome::Ok);
  EXPECT_EQ(process.restarts(), 1);
}

TEST_F(Worker, KeysDoNotReachTheChild) {
  setenv("KERNELCLAW_API_KEY", "sk-not-for-workers", 1);
  setenv("SOME_token", "t-not-for-workers", 1);
  setenv("KERNELCLAW_KEPT", "for-workers", 1);
  WorkerProcess process = worker("env > environment; echo '# ready'; read l; "
                                 "echo '" +
                                 okLine("a") + "'");
  EXPECT_EQ(parse(process.judgeLine("{}", "a", 5)).outcome, Outcome::Ok);
  std::string seen = *readFile((folder / "environment").string());
  EXPECT_EQ(seen.find("not-for-workers"), std::string::npos) << seen;
  EXPECT_NE(seen.find("KERNELCLAW_KEPT=for-workers"), std::string::npos);
  for (const char *name :
       {"KERNELCLAW_API_KEY", "SOME_token", "KERNELCLAW_KEPT"})
    unsetenv(name);
}

TEST_F(Worker, AChildThatDoesNotStartIsAnError) {
  WorkerProcess process = worker("echo nonsense");
  Expected<std::string> line = process.judgeLine("{}", "a", 5);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, Error::Code::Unavailable);
  WorkerProcess absent(WorkerCommand{"/nonexistent/worker", {}});
  EXPECT_FALSE(absent.judgeLine("{}", "a", 5));
}

TEST_F(Worker, LargeLinesTravelBothWays) {
  WorkerProcess process = worker("echo '# ready'; head -n 1 > line; cat line");
  std::string line(8 << 20, 'x');
  Expected<std::string> back = process.judgeLine(line, "a", 30);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->size(), line.size());
}

TEST_F(Worker, MalformedJobsKeepTheirIdWhenItCanBeRead) {
  auto known = parseEvaluation(malformedJobResult(R"({"id":"j7"})", "why"));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->jobId, "j7");
  EXPECT_EQ(known->rule, "job");
  auto unknown = parseEvaluation(malformedJobResult("{{{", "why"));
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->jobId, "");
}

static Job compileJob(const std::string &source) {
  Job job;
  job.id = "spec/1";
  job.candidate.modules.push_back({"m", PlanModule::Kind::Cuda, source});
  return job;
}

static Expected<std::unique_ptr<Evaluator>> make(const std::string &kind,
                                                 const fs::path &directory) {
  return createEvaluator({kind, "cuda", directory.string(), KCLAW_WORKER, ""});
}

TEST_F(Worker, UnknownKindNamesTheAcceptedOnes) {
  auto made = make("nope", folder);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("local, mailbox, replay, none"),
            std::string::npos);
}

/// The worker of evaluator=local behind a launcher.
static Expected<std::unique_ptr<Evaluator>>
launched(const std::string &launcher, const std::string &kind = "local") {
  return createEvaluator({kind, "cuda", "", KCLAW_WORKER, launcher});
}

TEST(Launcher, IsSplitAsAShellWould) {
  setenv("KCLAW_TEST_NODES", "-N 2", 1);
  auto words = parseLauncher(R"(env A='b c' "d \" e" f\ g $KCLAW_TEST_NODES)");
  ASSERT_TRUE(words) << words.error().message;
  EXPECT_EQ(*words, (std::vector<std::string>{"env", "A=b c", "d \" e", "f g",
                                              "-N", "2"}));
}

TEST(Launcher, WhatCannotStartAWorkerIsRefusedWithTheReason) {
  for (auto [text, why] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"env 'A", "a quote is not closed"},
           {"env | cat", "outside of quotes"},
           {"env $(id)", "command substitution"},
           {"env $KCLAW_TEST_ABSENT", "a variable is not set"},
           {" ", "names no program"},
           {"kclaw-no-such-launcher -N1",
            "'kclaw-no-such-launcher' is no exec"},
           {"/nonexistent/srun", "'/nonexistent/srun' is no executable"}}) {
    auto made = launched(text);
    ASSERT_FALSE(made) << text;
    EXPECT_NE(made.error().message.find(why), std::string::npos)
        << made.error().message;
    EXPECT_NE(made.error().message.find(text), std::string::npos);
  }
  auto made = launched("env", "mailbox");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("'mailbox' starts none"),
            std::string::npos);
}

TEST_F(Worker, SeveralWorkersAreOfTheLocalEvaluatorOnly) {
  auto made = createEvaluator(
      {"mailbox", "cuda", folder.string(), KCLAW_WORKER, "", 2});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("--mailbox DIR --workers N"),
            std::string::npos);
  auto many = createEvaluator({"local", "sim", "", KCLAW_WORKER, "env", 65});
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().message.find("workers is 65; accepted: 0"),
            std::string::npos);
  auto two = createEvaluator({"local", "sim", "", KCLAW_WORKER, "env", 2});
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ((*two)->parallelJobs(), 2);
}

TEST_F(Worker, ALauncherStartsTheWorkerAndPassesJobsOn) {
  ASSERT_TRUE(NvrtcApi::get()) << NvrtcApi::get().error().message;
  std::string script = (folder / "my launcher").string();
  ASSERT_TRUE(writeFileAtomically(
      script, "#!/bin/sh\necho \"$@\" > \"$0.args\"\nshift\nexec \"$@\"\n"));
  fs::permissions(script, fs::perms::owner_all);
  auto made = launched("env FOO=1 '" + script + "' -N1");
  ASSERT_TRUE(made) << made.error().message;
  Job job = compileJob("extern \"C\" __global__ void k() {}");
  job.kind = Job::Kind::Compile;
  auto done = (*made)->evaluate(job);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->outcome, Outcome::Ok) << done->message;
  EXPECT_EQ(readFile(script + ".args").value_or(""),
            "-N1 " KCLAW_WORKER " --child --device=cuda\n");
}

TEST_F(Worker, ALauncherThatFailsIsToldWithItsCommandLine) {
  auto made = launched("false -N1");
  ASSERT_TRUE(made) << made.error().message;
  auto done = (*made)->evaluate(compileJob(""));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Error::Code::Unavailable);
  EXPECT_NE(done.error().message.find("'false -N1 " KCLAW_WORKER " --child"),
            std::string::npos)
      << done.error().message;
}

TEST_F(Worker, NoneCompilesWithoutEvidence) {
  ASSERT_TRUE(NvrtcApi::get()) << NvrtcApi::get().error().message;
  auto made = make("none", folder);
  ASSERT_TRUE(made);
  auto good =
      (*made)->evaluate(compileJob("extern \"C\" __global__ void k() {}"));
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->outcome, Outcome::Ok);
  EXPECT_EQ(good->evidence, Evidence::None);
  auto bad = (*made)->evaluate(compileJob("syntax error"));
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->outcome, Outcome::CompileError);
}

TEST_F(Worker, AReplaySweepsAsWhoeverWasRecorded) {
  auto replay = make("replay", folder);
  ASSERT_TRUE(replay);
  Evaluation evaluation;
  evaluation.jobId = "a-1";
  fs::path file = folder / "regions" / "a" / "attempt-1" / "evaluation.json";
  fs::create_directories(file.parent_path());
  ASSERT_TRUE(writeFileAtomically(file.string(), toJson(evaluation)));
  EXPECT_FALSE((*replay)->sweepsTunables());
  evaluation.tunableTable = {{{{"TILE", 64}}, Outcome::Ok, 5, "", 1}};
  ASSERT_TRUE(writeFileAtomically(file.string(), toJson(evaluation)));
  EXPECT_TRUE((*replay)->sweepsTunables());
}

TEST_F(Worker, MailboxParksThenFindsTheAnswerThatReplayFindsToo) {
  ASSERT_TRUE(NvrtcApi::get()) << NvrtcApi::get().error().message;
  auto made = make("mailbox", folder);
  ASSERT_TRUE(made);
  Job job = compileJob("extern \"C\" __global__ void k() {}");
  job.kind = Job::Kind::Compile;
  ASSERT_TRUE((*made)->evaluate(job)) << "compiling needs no worker";
  job.kind = Job::Kind::Evaluate;
  auto parked = (*made)->evaluate(job);
  ASSERT_FALSE(parked);
  EXPECT_EQ(parked.error().code, Error::Code::Parked);
  fs::path posted = folder / "jobs" / ("job-" + jobFileName(job));
  auto text = readFile(posted.string());
  ASSERT_TRUE(text);
  auto copy = parseJob(*text);
  ASSERT_TRUE(copy);
  ASSERT_EQ(copy->images.size(), 1u);
  EXPECT_FALSE(copy->images[0].cubin.empty());
  EXPECT_NE(parked.error().message.find("--device=cuda --mailbox " +
                                        folder.string() + "'"),
            std::string::npos)
      << parked.error().message;
  // While a worker has it, it is not posted a second time.
  fs::path claim = folder / "claims" / (jobFileName(job) + "@host.1.2.3");
  fs::rename(posted, claim);
  EXPECT_FALSE((*made)->evaluate(job));
  EXPECT_FALSE(fs::exists(posted));
  fs::rename(claim, posted);

  fs::path answer = folder / "results" / ("result-" + jobFileName(job));
  ASSERT_TRUE(writeFileAtomically(answer.string(), okLine(job.id)));
  auto done = (*made)->evaluate(job);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->outcome, Outcome::Ok);
  auto replay = make("replay", folder);
  ASSERT_TRUE(replay);
  EXPECT_TRUE((*replay)->evaluate(job));
  job.candidate.modules[0].source += " ";
  EXPECT_FALSE((*replay)->evaluate(job));
}

TEST_F(Worker, ACandidateThatDoesNotCompileIsNotPosted) {
  ASSERT_TRUE(NvrtcApi::get()) << NvrtcApi::get().error().message;
  auto made = make("mailbox", folder);
  ASSERT_TRUE(made);
  auto bad = (*made)->evaluate(compileJob("syntax error"));
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->outcome, Outcome::CompileError);
  EXPECT_TRUE(fs::is_empty(folder / "jobs"));
}

TEST(Files, AFullOrMissingFolderIsAnErrorNotAHalfFile) {
  EXPECT_FALSE(writeFileAtomically("/nonexistent/x", "text"));
  EXPECT_FALSE(writeFileAtomically("/dev/full/x", "text"));
}
