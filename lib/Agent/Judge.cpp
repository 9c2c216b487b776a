//===- Judge.cpp - A plan, judged and on record ---------------------------===//
#include "Judge.h"

#include "kernelclaw/Plan/CheckPlan.h"
#include "kernelclaw/Plan/WinRule.h"

#include <thread>
#include <utility>

namespace kclaw {
namespace {

using Status = AttemptResult::Status;

/// The simulator works for seconds at what a GPU does at once.
double evaluationSeconds(const Evaluator &evaluator) {
  return evaluator.evidence() == Evidence::Measured ? 60 : 300;
}

std::string jobId(const RegionTask &task, int attempt) {
  return task.spec.specHash + "-" + std::to_string(attempt);
}

/// Waits for what other regions have reserved and may not use, rather than
/// shorten this evaluation's time.
Expected<double> reserveDevice(Run &run) {
  double wanted = evaluationSeconds(run.evaluator);
  while (run.ledger.mustWaitForDevice(wanted)) {
    PassedTurn others(run.turn);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return run.ledger.reserveDeviceSeconds(wanted);
}

/// Within the budget; `ready` (a record to write) comes before the call.
template <typename Ready>
Expected<Evaluation> evaluate(Run &run, Job job, Ready ready) {
  auto limit = reserveDevice(run);
  if (!limit)
    return std::unexpected(limit.error());
  job.timeoutSeconds = *limit;
  Expected<void> written = ready(job);
  Expected<Evaluation> evaluation = makeError(Error::Code::Internal, "");
  if (written) {
    PassedTurn others(run.turn);
    evaluation = run.evaluator.evaluate(job);
  }
  run.ledger.releaseDevice(*limit);
  if (!written)
    return std::unexpected(written.error());
  // A worker or mailbox that fails costs this region, not the whole run.
  if (!evaluation && evaluation.error().code == Error::Code::Io)
    return makeError(Error::Code::Unavailable, evaluation.error().message);
  return evaluation;
}

/// Of the board, while energy was measured.
double joules(const Energy &energy) {
  return energy.candidate.loadWatts * energy.candidate.seconds +
         energy.stock.loadWatts * energy.stock.seconds;
}

class Judgement {
public:
  Judgement(Run &run, const RegionTask &task, int number)
      : run(run), task(task), number(number), id(jobId(task, number)),
        folder(run.directory.attempt(task.spec.specHash, number)),
        event{{"event", "evaluated"},
              {"specHash", task.spec.specHash},
              {"attempt", number}} {}
  /// Of what is no attempt.
  Judgement(Run &run, const RegionTask &task, std::string id,
            AttemptFolder folder, const char *event)
      : run(run), task(task), number(0), id(std::move(id)),
        folder(std::move(folder)),
        event{{"event", event}, {"specHash", task.spec.specHash}} {}

  /// As it is. An evaluator that fails ends no search.
  Expected<AttemptResult> judgeStock(const Plan &plan) {
    if (auto done = folder.create(); !done)
      return std::unexpected(done.error());
    if (auto done = folder.recordPlan(plan); !done)
      return std::unexpected(done.error());
    auto evaluation = recordedOrNew(plan, {});
    return evaluation ? finish(plan, *evaluation)
                      : endOrFail(evaluation.error(), run.noStock);
  }

  Expected<AttemptResult> judge(Plan plan, const Judging &judging) {
    if (auto done = folder.recordPlan(plan); !done)
      return std::unexpected(done.error());
    auto evaluation = recordedOrNew(plan, judging);
    if (!evaluation) {
      auto result = endOrFail(run, evaluation.error());
      if (result && result->status == Status::Broken)
        run.noStock = result->reason;
      return result;
    }
    bool swept = false;
    for (Tunable &tunable : plan.tunables)
      if (auto it = evaluation->chosenTunables.find(tunable.name);
          it != evaluation->chosenTunables.end())
        swept |= std::exchange(tunable.chosen, it->second) != it->second;
    if (swept) // plan.json is what was judged
      if (auto done = folder.recordPlan(plan); !done)
        return std::unexpected(done.error());
    return finish(std::move(plan), *evaluation);
  }

  Expected<AttemptResult> reject(std::optional<Plan> plan, const char *rule,
                                 const std::string &message) {
    if (plan)
      if (auto done = folder.recordPlan(*plan); !done)
        return std::unexpected(done.error());
    Evaluation evaluation;
    evaluation.jobId = id;
    evaluation.outcome = Outcome::Rejected;
    evaluation.rule = rule;
    evaluation.message = message;
    return finish(std::move(plan), evaluation);
  }

private:
  Expected<Evaluation> recordedOrNew(const Plan &plan, const Judging &judging) {
    auto recorded = folder.evaluation();
    if (!recorded)
      return std::unexpected(recorded.error());
    if (*recorded)
      return **recorded;
    Job job = candidateJob(run, task, number, plan, judging);
    job.id = id;
    return evaluate(run, std::move(job),
                    [&](const Job &job) { return folder.recordJob(job); });
  }

  Expected<AttemptResult> finish(std::optional<Plan> plan,
                                 const Evaluation &evaluation) {
    if (auto done = folder.recordEvaluation(evaluation); !done)
      return std::unexpected(done.error());
    event.update(
        json::Json{{"outcome", name(evaluation.outcome)},
                   {"evidence", name(evaluation.evidence)},
                   {"speedup", json::number(evaluation.speedup)},
                   {"deviceSeconds", json::number(evaluation.deviceSeconds)},
                   {"message", evaluation.message}});
    if (evaluation.stockTime.medianMicroseconds > 0)
      event["stockMicroseconds"] =
          json::number(evaluation.stockTime.medianMicroseconds);
    if (evaluation.energy.state == Energy::State::Measured)
      event["energyJoules"] = json::number(joules(evaluation.energy));
    // What is told already was booked when the run was opened.
    if (!run.directory.events().isTold(event))
      run.ledger.bookDevice(evaluation.deviceSeconds);
    auto told = run.directory.events().appendOnce(std::move(event));
    if (!told)
      return std::unexpected(told.error());
    AttemptResult result;
    result.record.number = number;
    result.record.plan = std::move(plan);
    result.record.evaluation = evaluation;
    return result;
  }

  Run &run;
  const RegionTask &task;
  int number;
  std::string id;
  AttemptFolder folder;
  json::Json event;
};

} // namespace

AttemptResult ended(Status status, const std::string &reason) {
  AttemptResult result;
  result.status = status;
  result.reason = reason;
  return result;
}

Expected<AttemptResult> endOrFail(const Error &error, std::string &broken) {
  switch (error.code) {
  case Error::Code::Parked:
    return ended(Status::Parked, error.message);
  case Error::Code::Budget:
    return ended(Status::Budget, error.message);
  case Error::Code::Io:
    return std::unexpected(error);
  case Error::Code::Invalid:
  case Error::Code::Unavailable:
  case Error::Code::Internal:
    break;
  }
  broken = error.message;
  return ended(Status::Broken, error.message);
}

Job candidateJob(const Run &run, const RegionTask &task, int attempt,
                 const Plan &plan, const Judging &judging) {
  Job job;
  job.id = jobId(task, attempt);
  job.kind = run.options.compileOnly ? Job::Kind::Compile : Job::Kind::Evaluate;
  job.spec = task.spec;
  job.candidate = plan;
  job.stock = task.stock;
  job.libraryStock = task.libraryStock;
  job.reference = task.reference;
  job.reduced = task.reduced;
  job.arch = run.options.arch;
  job.seed = run.options.seed;
  job.deterministic = run.options.deterministic;
  bool keeps = judging.keepAboveSpeedup.has_value();
  job.profile = keeps || judging.profileAboveSpeedup;
  job.profileAboveSpeedup = judging.profileAboveSpeedup.value_or(
      judging.keepAboveSpeedup.value_or(0));
  job.confirmProcesses = keeps ? confirmingProcesses : 0;
  job.checks = keeps;
  if (judging.incumbent && run.evaluator.evidence() == Evidence::Measured)
    job.incumbent = *judging.incumbent;
  return job;
}

Expected<Evaluation> evaluateAside(Run &run, Job job) {
  auto evaluation = evaluate(run, std::move(job),
                             [](const Job &) { return Expected<void>(); });
  if (evaluation)
    run.ledger.bookDevice(evaluation->deviceSeconds);
  return evaluation;
}

Expected<AttemptResult> judgePlan(Run &run, const RegionTask &task, int attempt,
                                  Plan plan, const Judging &judging) {
  return Judgement(run, task, attempt).judge(std::move(plan), judging);
}

Expected<AttemptResult> judgeText(Run &run, const RegionTask &task, int attempt,
                                  const std::string &planJson,
                                  const Judging &judging) {
  Judgement judgement(run, task, attempt);
  auto plan = parsePlan(planJson);
  if (!plan)
    return judgement.reject(std::nullopt, "schema", plan.error().message);
  // Who made a plan decides what it may hold; the text cannot promote it.
  if (plan->producer != Producer::Expert)
    plan->producer = Producer::Model;
  if (auto fits = checkPlan(*plan, task.spec, /*fromModel=*/true); !fits)
    return judgement.reject(*plan, "plan", fits.error().message);
  return judgement.judge(std::move(*plan), judging);
}

Expected<AttemptResult> judgeLibraryStock(Run &run, const RegionTask &task) {
  RegionTask trial = task;
  trial.libraryStock.reset(); // it is the candidate
  return Judgement(run, trial, task.spec.specHash + "-stock",
                   run.directory.libraryStock(task.spec.specHash),
                   "stock_judged")
      .judgeStock(*task.libraryStock);
}

Expected<AttemptResult> rejectAttempt(Run &run, const RegionTask &task,
                                      int attempt, const std::string &rule,
                                      const std::string &message) {
  return Judgement(run, task, attempt)
      .reject(std::nullopt, rule.c_str(), message);
}

} // namespace kclaw
