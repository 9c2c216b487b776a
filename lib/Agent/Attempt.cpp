//===- Attempt.cpp - Ask until there is a plan, judge it ------------------===//
//
// A reply that was cut off is asked for again once with twice the room; one
// that is malformed goes back to the model with the reason, at most twice.
// Neither is a verdict on a kernel. A refusal ends the attempt: the same
// question would be refused again.
//
//===----------------------------------------------------------------------===//
#include "Attempt.h"

#include "Ask.h"
#include "Dialog.h"
#include "ExtractPlan.h"
#include "Judge.h"

namespace kclaw {
namespace {

using Status = AttemptResult::Status;

constexpr int maxTruncations = 1;
constexpr int maxMalformed = 2;

class Attempt {
public:
  Attempt(Run &run, const RegionTask &task, Conversation conversation,
          double keepAboveSpeedup)
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
    Usage usage;
    for (int call = 1;; ++call) {
      auto reply =
          ask(run, task.spec.specHash, number, folder, call, conversation);
      if (!reply)
        return endOrFail(run, reply.error());
      if (reply->exhausted)
        return ended(Status::Exhausted, reply->text.empty()
                                            ? "the provider has nothing to "
                                              "offer"
                                            : reply->text);
      usage += reply->usage;
      Extraction found = extractPlan(*reply, task.spec);
      bool again = (found.kind == Extraction::Kind::Truncated &&
                    truncations++ < maxTruncations) ||
                   (found.kind == Extraction::Kind::Malformed &&
                    malformed++ < maxMalformed);
      if (!again)
        return judge(found, usage);
      conversation.id = id + "-" + std::to_string(call + 1);
      askAgain(conversation, *reply, found.kind == Extraction::Kind::Truncated,
               found.message);
    }
  }

private:
  Expected<AttemptResult> judge(const Extraction &found, const Usage &usage) {
    static constexpr const char *rules[] = {"", "truncated", "reply",
                                            "refusal"};
    auto result = found.kind == Extraction::Kind::Plan
                      ? judgeText(run, task, number, found.planJson,
                                  {.keepAboveSpeedup = keepAboveSpeedup})
                      : rejectAttempt(run, task, number, rules[int(found.kind)],
                                      found.message);
    if (result)
      result->record.usage = usage;
    return result;
  }

  Run &run;
  const RegionTask &task;
  Conversation conversation;
  double keepAboveSpeedup;
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
  constexpr int number = 0; // before the attempts
  if (auto done = run.directory.attempt(task.spec.specHash, number).create();
      !done)
    return std::unexpected(done.error());
  return judgePlan(run, task, number, plan, {});
}

} // namespace kclaw
