//===- Attempt.cpp - Ask, extract, check, evaluate ------------------------===//
//
// A reply that was cut off is asked for again once with twice the room; one
// that is malformed goes back to the model with the reason, at most twice.
// Neither is a verdict on a kernel. A refusal ends the attempt: the same
// question would be refused again.
//
//===----------------------------------------------------------------------===//
#include "Attempt.h"

#include "ExtractPlan.h"
#include "kernelclaw/Plan/CheckPlan.h"
#include "kernelclaw/Plan/WinRule.h"

#include <thread>
#include <utility>

namespace kclaw {
namespace {

using Status = AttemptResult::Status;

constexpr int maxTruncations = 1;
constexpr int maxMalformed = 2;
/// The simulator works for seconds at what a GPU does at once.
double evaluationSeconds(const Evaluator &evaluator) {
  return evaluator.evidence() == Evidence::Measured ? 60 : 300;
}

AttemptResult ended(Status status, const std::string &reason) {
  AttemptResult result;
  result.status = status;
  result.reason = reason;
  return result;
}

class Attempt {
public:
  Attempt(Run &run, const RegionTask &task, Conversation conversation,
          std::optional<double> keepAboveSpeedup = {})
      : run(run), task(task), conversation(std::move(conversation)),
        keepAboveSpeedup(keepAboveSpeedup), number(this->conversation.attempt),
        folder(run.directory.attempt(task.spec.specHash, number)) {
    this->conversation.sweepsTunables = run.evaluator.sweepsTunables();
  }

  Expected<AttemptResult> go() {
    if (auto done = folder.create(); !done)
      return std::unexpected(done.error());
    int truncations = 0, malformed = 0;
    const std::string id = conversation.id;
    for (int call = 1;; ++call) {
      auto reply = ask(call);
      if (!reply)
        return endOrFail(reply.error());
      if (reply->exhausted)
        return ended(Status::Exhausted, reply->text.empty()
                                            ? "the provider has nothing to "
                                              "offer"
                                            : reply->text);
      Extraction found = extractPlan(*reply, task.spec);
      bool again = (found.kind == Extraction::Kind::Truncated &&
                    truncations++ < maxTruncations) ||
                   (found.kind == Extraction::Kind::Malformed &&
                    malformed++ < maxMalformed);
      if (!again)
        return judge(found);
      conversation.id = id + "-" + std::to_string(call + 1);
      askAgain(*reply, found);
    }
  }

  Expected<AttemptResult> judgeOnly(Plan plan) {
    if (auto done = folder.create(); !done)
      return std::unexpected(done.error());
    if (auto done = folder.recordPlan(plan); !done)
      return std::unexpected(done.error());
    return judge(std::move(plan));
  }

private:
  /// The recorded reply, or a new one, booked and recorded.
  Expected<Reply> ask(int call) {
    auto recorded = folder.reply(call);
    if (!recorded)
      return std::unexpected(recorded.error());
    if (*recorded) {
      run.ledger.book((*recorded)->usage);
      return **recorded;
    }
    if (auto fits = run.ledger.reserve(run.provider.bound(conversation)); !fits)
      return std::unexpected(fits.error());
    if (auto done = folder.recordPrompt(call, conversation); !done)
      return std::unexpected(done.error());
    conversation.timeoutSeconds = run.ledger.secondsLeft();
    auto reply = run.provider.complete(conversation);
    if (!reply && reply.error().code == Error::Code::Invalid) {
      // An answer that cannot be read is an answer without a plan.
      Reply unreadable;
      unreadable.refusal = "unreadable reply: " + reply.error().message;
      reply = unreadable;
    }
    if (!reply) {
      // A call that was cut short by max-seconds is the budget's end.
      bool parked = reply.error().code == Error::Code::Parked;
      if (auto inTime = run.ledger.reserve({}); !parked && !inTime)
        return std::unexpected(inTime.error().context(reply.error().message));
      return reply;
    }
    run.ledger.book(reply->usage);
    if (auto done = folder.recordReply(call, *reply); !done)
      return std::unexpected(done.error());
    auto told = run.directory.events().appendOnce(
        {{"event", "reply"},
         {"specHash", task.spec.specHash},
         {"attempt", number},
         {"call", call},
         {"inputTokens", reply->usage.inputTokens},
         {"outputTokens", reply->usage.outputTokens},
         {"dollars", json::number(reply->usage.dollars)},
         {"seconds", json::number(reply->usage.seconds)}});
    if (!told)
      return std::unexpected(told.error());
    return reply;
  }

  void askAgain(const Reply &reply, const Extraction &found) {
    if (found.kind == Extraction::Kind::Truncated) {
      conversation.maxTokens *= 2;
      conversation.messages.push_back(
          {"user", "Your last answer was cut off by the length limit. Answer "
                   "again from the start, and more briefly."});
      return;
    }
    std::string said = reply.text;
    for (const ToolCall &call : reply.toolCalls)
      said += "\n" + call.name + "(" + call.arguments + ")";
    conversation.messages.push_back({"assistant", said});
    conversation.messages.push_back(
        {"user", "That could not be used: " + found.message});
  }

  Expected<AttemptResult> judge(const Extraction &found) {
    static constexpr const char *rules[] = {"", "truncated", "reply",
                                            "refusal"};
    if (found.kind != Extraction::Kind::Plan)
      return finish(std::nullopt,
                    rejected(rules[int(found.kind)], found.message));
    auto plan = parsePlan(found.planJson);
    if (!plan)
      return finish(std::nullopt, rejected("schema", plan.error().message));
    // Who made a plan decides what it may hold; the text cannot promote it.
    if (plan->producer != Producer::Expert)
      plan->producer = Producer::Model;
    if (auto done = folder.recordPlan(*plan); !done)
      return std::unexpected(done.error());
    if (auto fits = checkPlan(*plan, task.spec, /*fromModel=*/true); !fits)
      return finish(*plan, rejected("plan", fits.error().message));
    return judge(std::move(*plan));
  }

  Expected<AttemptResult> judge(Plan plan) {
    auto evaluation = evaluate(plan);
    if (!evaluation)
      return endOrFail(evaluation.error());
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

  Evaluation rejected(const char *rule, const std::string &message) const {
    Evaluation evaluation;
    evaluation.jobId = task.spec.specHash + "-" + std::to_string(number);
    evaluation.outcome = Outcome::Rejected;
    evaluation.rule = rule;
    evaluation.message = message;
    return evaluation;
  }

  /// Waits for what other regions have reserved and may not use, rather than
  /// shorten this evaluation's time.
  Expected<double> reserveDevice() {
    double wanted = evaluationSeconds(run.evaluator);
    while (run.ledger.mustWaitForDevice(wanted)) {
      PassedTurn others(run.turn);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return run.ledger.reserveDeviceSeconds(wanted);
  }

  Expected<Evaluation> evaluate(const Plan &plan) {
    auto recorded = folder.evaluation();
    if (!recorded)
      return std::unexpected(recorded.error());
    if (*recorded)
      return **recorded;
    auto limit = reserveDevice();
    if (!limit)
      return std::unexpected(limit.error());
    Job job;
    job.id = task.spec.specHash + "-" + std::to_string(number);
    job.kind =
        run.options.compileOnly ? Job::Kind::Compile : Job::Kind::Evaluate;
    job.spec = task.spec;
    job.candidate = plan;
    job.stock = task.stock;
    job.libraryStock = task.libraryStock;
    job.reference = task.reference;
    job.reduced = task.reduced;
    job.arch = run.options.arch;
    job.seed = run.options.seed;
    job.timeoutSeconds = *limit;
    job.deterministic = run.options.deterministic;
    job.profile = keepAboveSpeedup.has_value();
    job.profileAboveSpeedup = keepAboveSpeedup.value_or(0);
    job.confirmProcesses = keepAboveSpeedup ? confirmingProcesses : 0;
    job.checks = job.profile;
    Expected<void> written = folder.recordJob(job);
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

  Expected<AttemptResult> finish(std::optional<Plan> plan,
                                 const Evaluation &evaluation) {
    run.ledger.bookDevice(evaluation.deviceSeconds);
    if (auto done = folder.recordEvaluation(evaluation); !done)
      return std::unexpected(done.error());
    auto told = run.directory.events().appendOnce(
        {{"event", "evaluated"},
         {"specHash", task.spec.specHash},
         {"attempt", number},
         {"outcome", name(evaluation.outcome)},
         {"evidence", name(evaluation.evidence)},
         {"speedup", json::number(evaluation.speedup)},
         {"deviceSeconds", json::number(evaluation.deviceSeconds)},
         {"message", evaluation.message}});
    if (!told)
      return std::unexpected(told.error());
    AttemptResult result;
    result.record = {number, std::move(plan), evaluation};
    return result;
  }

  /// Errors that end a region, not the run.
  Expected<AttemptResult> endOrFail(const Error &error) {
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
    run.broken = error.message;
    return ended(Status::Broken, error.message);
  }

  Run &run;
  const RegionTask &task;
  Conversation conversation;
  std::optional<double> keepAboveSpeedup; ///< none: nothing will be kept
  int number;
  AttemptFolder folder;
};

} // namespace

Expected<AttemptResult> runAttempt(Run &run, const RegionTask &task,
                                   Conversation conversation,
                                   double keepAboveSpeedup) {
  return Attempt(run, task, std::move(conversation), keepAboveSpeedup).go();
}

Expected<AttemptResult> judgeAgain(Run &run, const RegionTask &task,
                                   const Plan &plan) {
  return Attempt(run, task, Conversation()).judgeOnly(plan);
}

} // namespace kclaw
