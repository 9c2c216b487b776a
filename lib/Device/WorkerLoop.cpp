//===- WorkerLoop.cpp - Jobs from lines or from a mailbox -----------------===//
#include "Files.h"
#include "JobClaims.h"
#include "WorkerPlan.h"
#include "WorkerPool.h"
#include "kernelclaw/Device/Evaluator.h"

#include <atomic>
#include <functional>
#include <future>
#include <iostream>

namespace kclaw {

namespace {
struct Answer {
  std::string line;
  std::string unavailable; ///< why nothing here can judge; empty: it is judged
};
} // namespace

/// Judges one job; never fails: what goes wrong is an answer too.
static Answer answer(WorkerPool &pool, const std::string &text) {
  Expected<Job> job = parseJob(text);
  if (!job)
    return {malformedJobResult(text, job.error().message), ""};
  Expected<Evaluation> done = pool.judge(*job);
  if (done)
    return {toJson(*done), ""};
  Evaluation evaluation;
  evaluation.jobId = job->id;
  evaluation.rule = unavailableRule;
  evaluation.message = done.error().message;
  if (!evaluation.message.starts_with("not judged"))
    evaluation.message = "not judged: " + evaluation.message;
  return {toJson(evaluation), evaluation.message};
}

/// A failed plan is told, and is null.
static std::unique_ptr<WorkerPool> makePool(const WorkerOptions &options) {
  Expected<WorkerPlan> plan = planWorkers(options);
  if (plan)
    return std::make_unique<WorkerPool>(makeWorkers(*plan, options.verbose));
  // Jobs are answered all the same: by a child that says what is missing.
  if (plan.error().code == Error::Code::Unavailable && options.launcher.empty())
    return std::make_unique<WorkerPool>(makeWorkers(
        {{{options.workerPath, {"--child", "--device=" + options.device}}}},
        options.verbose));
  std::cerr << "kernelclaw-worker: " << plan.error().message << "\n";
  return nullptr;
}

namespace {
/// Answers in the order of their questions, each written as soon as it is
/// there, also while the next question is awaited.
class OrderedAnswers {
public:
  explicit OrderedAnswers(int most)
      : most(most), writer([this] { writeAll(); }) {}
  ~OrderedAnswers() { close(); }

  /// Waits until fewer than `most` are under way. False: nobody reads.
  bool push(std::function<Answer()> question) {
    std::unique_lock lock(guard);
    changed.wait(lock, [this] { return waiting < most || failed; });
    if (failed)
      return false;
    underWay.push_back(std::async(std::launch::async, std::move(question)));
    ++waiting;
    changed.notify_all();
    return true;
  }
  /// After all are written. False: nobody reads.
  bool close() {
    {
      std::lock_guard lock(guard);
      closed = true;
      changed.notify_all();
    }
    if (writer.joinable())
      writer.join();
    return !failed;
  }

private:
  void writeAll() {
    std::unique_lock lock(guard);
    for (;;) {
      changed.wait(lock, [this] { return !underWay.empty() || closed; });
      if (underWay.empty())
        return;
      std::future<Answer> first = std::move(underWay.front());
      underWay.pop_front();
      lock.unlock();
      std::cout << first.get().line << std::endl;
      lock.lock();
      --waiting;
      failed = failed || !std::cout;
      changed.notify_all();
    }
  }

  const int most;
  std::mutex guard;
  std::condition_variable changed;
  std::deque<std::future<Answer>> underWay;
  int waiting = 0; ///< also the one that is being written
  bool closed = false, failed = false;
  std::thread writer;
};
} // namespace

int runWorker(const WorkerOptions &options) {
  std::unique_ptr<WorkerPool> pool = makePool(options);
  if (!pool)
    return 1;
  OrderedAnswers answers(pool->size());
  bool read = true;
  for (std::string line; read && std::getline(std::cin, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      read = answers.push(
          [&pool, line = std::move(line)] { return answer(*pool, line); });
  if (answers.close())
    return 0;
  std::cerr << "kernelclaw-worker: cannot write the answer\n";
  return 1;
}

namespace {
/// What the threads that empty a mailbox share.
struct Emptying {
  WorkerPool &pool;
  JobClaims &claims;
  std::atomic<int> judged = 0;
  std::mutex guard = {};
  std::string failure = {}; ///< the first; it ends all threads
};
} // namespace

/// Two workers died with it, in two processes that claimed it.
static std::string diedTwice(const JobClaim &claim, const std::string &text) {
  Expected<Job> job = parseJob(text);
  Evaluation evaluation;
  evaluation.jobId = job ? job->id : "";
  evaluation.outcome = Outcome::Fault;
  evaluation.rule = workerLostRule;
  for (const std::string &claimant : claim.dead)
    evaluation.lostWorkers.push_back(
        "worker " + claimant + " (host.process) died while it had the job");
  evaluation.message = "two workers were lost while they judged this job: " +
                       evaluation.lostWorkers[0] + "; then " +
                       evaluation.lostWorkers[1];
  return toJson(evaluation);
}

/// Why emptying must end; empty: go on.
static std::string judgeClaim(Emptying &all, const JobClaim &claim) {
  Expected<std::string> text = readFile(claim.file.string());
  // A link to nothing is there, and answered.
  if (!text &&
      !std::filesystem::exists(std::filesystem::symlink_status(claim.file)))
    return ""; // we were taken for dead
  Answer found{malformedJobResult("", text ? "" : text.error().message), ""};
  if (text && claim.dead.size() >= 2)
    found.line = diedTwice(claim, *text);
  else if (text)
    found = answer(all.pool, *text);
  if (!found.unavailable.empty())
    return claim.job.string() + ": " + found.unavailable + "; judged " +
           std::to_string(all.judged) + " of " +
           std::to_string(all.claims.total()) +
           " jobs, the others stay for a worker with a device";
  if (auto ok = writeFileAtomically(claim.result.string(), found.line + "\n");
      !ok)
    return ok.error().message;
  ++all.judged;
  return "";
}

static void emptyMailbox(Emptying &all) {
  for (;;) {
    {
      std::lock_guard lock(all.guard);
      if (!all.failure.empty())
        return;
    }
    std::optional<JobClaim> claim = all.claims.next();
    if (!claim)
      return;
    std::string failure = judgeClaim(all, *claim);
    all.claims.giveBack(*claim);
    std::lock_guard lock(all.guard);
    if (all.failure.empty())
      all.failure = failure;
  }
}

int runMailbox(const std::string &directory, const WorkerOptions &options) {
  auto claims = JobClaims::open(directory);
  if (!claims) {
    std::cerr << "kernelclaw-worker: " << claims.error().message << "\n";
    return 1;
  }
  std::unique_ptr<WorkerPool> pool = makePool(options);
  if (!pool)
    return 1;
  Emptying all{*pool, **claims};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < pool->size(); ++i)
      threads.emplace_back([&all] { emptyMailbox(all); });
  }
  if (!all.failure.empty()) {
    std::cerr << "kernelclaw-worker: " << all.failure << "\n";
    return 1;
  }
  size_t others = (*claims)->heldByOthers();
  std::cerr << "kernelclaw-worker: judged " << all.judged << " of "
            << (*claims)->total() << " jobs in " << directory
            << (others ? ", " + std::to_string(others) + " are with others"
                       : "")
            << "\n";
  return 0;
}

} // namespace kclaw
