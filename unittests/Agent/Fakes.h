//===- Fakes.h - A provider and an evaluator that follow a script -*- C++ -*-=//
//
// Both answer by attempt number, so a resumed run meets the same answers, and
// count what they were asked.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_AGENT_FAKES_H
#define KERNELCLAW_UNITTESTS_AGENT_FAKES_H

#include "Plan/SampleEvaluation.h"
#include "Plan/SamplePlan.h"
#include "TemporaryDirectory.h"
#include "kernelclaw/Agent/Agent.h"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace kclaw {

/// A reply whose plan has this title.
inline Reply planReply(const std::string &title) {
  Plan plan = samplePlan();
  plan.title = title;
  Reply reply;
  reply.text = "```json\n" + toJson(plan) + "\n```\n";
  reply.finishReason = "stop";
  reply.usage = {100, 50, 0.25, 1};
  return reply;
}

class FakeProvider : public Provider {
public:
  /// Files are ordered by their times, which the kernel keeps by the tick.
  int pauseMilliseconds = 0;

  Expected<Reply> complete(const Conversation &conversation) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(pauseMilliseconds));
    {
      std::lock_guard lock(guard);
      asked.push_back(conversation);
    }
    return answer(conversation);
  }
  Usage bound(const Conversation &) const override { return most; }

  std::function<Expected<Reply>(const Conversation &)> answer =
      [](const Conversation &c) {
        return planReply("plan " + std::to_string(c.attempt));
      };
  Usage most;
  std::vector<Conversation> asked;

private:
  std::mutex guard; ///< of asked: several regions may ask at once
};

/// outcome, speedup; the rest as in a real evaluation of that outcome.
inline Evaluation judged(Outcome outcome, double speedup = 0) {
  Evaluation evaluation = sampleEvaluation();
  evaluation.outcome = outcome;
  evaluation.message = std::string("says ") + name(outcome);
  evaluation.speedup = speedup;
  evaluation.time.medianMicroseconds = speedup > 0 ? 100 / speedup : 0;
  evaluation.speedupInterval = {0.99 * speedup, 1.01 * speedup, 0.95, 1};
  evaluation.incumbentInterval = {}; // timed without one
  evaluation.deviceSeconds = 10;
  return evaluation;
}

class FakeEvaluator : public Evaluator {
public:
  int pauseMilliseconds = 0; ///< as FakeProvider's
  Expected<Evaluation> evaluate(const Job &job) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(pauseMilliseconds));
    jobs.push_back(job);
    auto it = byTitle.find(job.candidate.title);
    if (it == byTitle.end())
      return judged(Outcome::Mismatch);
    return it->second;
  }
  Evidence evidence() const override { return best; }
  std::map<std::string, Expected<Evaluation>> byTitle;
  std::vector<Job> jobs;
  Evidence best = Evidence::Measured;
};

/// A run directory, a store, a region and options that fit together.
struct Bench {
  TemporaryDirectory folder;
  FakeProvider provider;
  FakeEvaluator evaluator;
  std::unique_ptr<Store> store = *openStore(folder / "store");
  RegionTask task{sampleSpec(), samplePlan(), samplePlan()};
  AgentOptions options;

  Bench() {
    options.runDirectory = folder / "run";
    options.promptDirectory = KCLAW_PROMPTS_DIR;
    options.progress = ProgressKind::None;
    options.provider = "fake";
  }

  Expected<std::vector<RegionOutcome>>
  run(const std::vector<RegionTask> &tasks) {
    return optimizeRegions(tasks, provider, evaluator, store.get(), options);
  }
  RegionOutcome run() {
    auto outcomes = run({task});
    if (outcomes)
      return outcomes->front();
    RegionOutcome failed;
    failed.reason = "run failed: " + outcomes.error().message;
    return failed;
  }
  std::string attempt(int number, const std::string &file) const {
    return options.runDirectory + "/regions/" + task.spec.specHash +
           "/attempt-" + std::to_string(number) + "/" + file;
  }
};

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_AGENT_FAKES_H
