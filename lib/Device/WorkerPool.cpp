//===- WorkerPool.cpp - Jobs to free workers, lost ones survived ----------===//
#include "WorkerPool.h"
#include "Confirmation.h"
#include "kernelclaw/Device/Evaluator.h"
#include "kernelclaw/Device/Worker.h"

#include <algorithm>
#include <cstdio>

namespace kclaw {

WorkerPool::WorkerPool(std::vector<WorkerProcess> workers) {
  for (WorkerProcess &worker : workers)
    slots.emplace_back(std::move(worker));
}

bool WorkerPool::isUsable(const Slot &slot, const Job &job,
                          const History &history) const {
  bool fits = slot.noDevice.empty() || job.kind == Job::Kind::Compile;
  return slot.retired.empty() && fits && !history.refusedBy.contains(&slot);
}

/// A free worker for the job: best one that knows the region, else an unused
/// one. One that the job was lost on only when there is no other; `mayCome`: a
/// busy one would do.
WorkerPool::Slot *WorkerPool::choose(const Job &job, const History &history,
                                     bool &mayCome) {
  bool others = std::ranges::any_of(slots, [&](const Slot &slot) {
    return isUsable(slot, job, history) && !history.lostOn.contains(&slot);
  });
  auto rank = [&job](const Slot &slot) {
    return slot.lastRegion == job.spec.specHash ? 2
           : slot.lastRegion.empty()            ? 1
                                                : 0;
  };
  Slot *found = nullptr;
  mayCome = false;
  for (Slot &slot : slots) {
    if (!isUsable(slot, job, history) ||
        (others && history.lostOn.contains(&slot)))
      continue;
    mayCome = true;
    if (!slot.busy && (!found || rank(slot) > rank(*found)))
      found = &slot;
  }
  return found;
}

/// Null when no worker is left for the job.
WorkerPool::Slot *WorkerPool::take(const Job &job, const History &history) {
  std::unique_lock lock(guard);
  for (;;) {
    bool mayCome = false;
    if (Slot *slot = choose(job, history, mayCome)) {
      slot->busy = true;
      slot->lastRegion = job.spec.specHash;
      return slot;
    }
    if (!mayCome)
      return nullptr;
    freed.wait(lock);
  }
}

/// All that was said, each once.
std::string WorkerPool::whyNone(const History &history) {
  std::lock_guard lock(guard);
  std::set<std::string> reasons(history.refusals.begin(),
                                history.refusals.end());
  reasons.insert(history.lost.begin(), history.lost.end());
  for (const Slot &slot : slots)
    for (const std::string &reason : {slot.retired, slot.noDevice})
      if (!reason.empty())
        reasons.insert(reason);
  std::string text;
  for (const std::string &reason : reasons)
    text += (text.empty() ? "" : "; ") + reason;
  return text;
}

void WorkerPool::warn(const std::string &text) const {
  std::fprintf(stderr, "warning: %s\n", text.c_str());
}

namespace {
/// How one try at a job ended.
struct Try {
  enum class End {
    Judged,
    Lost,     ///< the worker, under the job
    NoDevice, ///< the worker can only compile
    Refused,  ///< the worker does not judge this job now
    NoStart
  } end = End::Judged;
  Evaluation evaluation; ///< Judged
  std::string words;     ///< the others
};
} // namespace

static Try tryOnce(WorkerProcess &worker, const Job &job,
                   const std::string &line) {
  using End = Try::End;
  Expected<std::string> answer =
      worker.judgeLine(line, job.id, job.timeoutSeconds);
  if (!answer) {
    bool noStart = answer.error().code == Error::Code::Unavailable;
    return {noStart ? End::NoStart : End::Lost, {}, answer.error().message};
  }
  Expected<Evaluation> evaluation = parseEvaluation(*answer);
  if (!evaluation || evaluation->jobId != job.id) {
    worker.drop();
    return {End::Lost,
            {},
            "a worker's answer to this job is none: '" +
                answer->substr(0, 100) + "'"};
  }
  constexpr std::pair<const char *, End> noVerdicts[] = {
      {unavailableRule, End::NoDevice},
      {deviceBusyRule, End::Refused},
      {deviceLostRule, End::Lost}};
  for (auto [rule, end] : noVerdicts)
    if (evaluation->rule == rule)
      return {end, {}, evaluation->message};
  return {End::Judged, std::move(*evaluation), ""};
}

/// A winner is judged again on the same device, in fresh children.
static Try tryConfirmed(WorkerProcess &worker, const Job &job,
                        const std::string &line) {
  Try first = tryOnce(worker, job, line);
  if (first.end != Try::End::Judged ||
      !needsConfirmation(job, first.evaluation))
    return first;
  auto judgeFresh = [&](const Job &again) -> Expected<Evaluation> {
    worker.drop();
    Try fresh = tryOnce(worker, again, toJson(again));
    if (fresh.end != Try::End::Judged)
      return makeError(Error::Code::Unavailable, fresh.words);
    return std::move(fresh.evaluation);
  };
  Clock::time_point start = Clock::now();
  first.evaluation = confirm(job, std::move(first.evaluation), judgeFresh);
  first.evaluation.phases["confirmation"] = secondsSince(start);
  return first;
}

static Evaluation lostTwice(const Job &job,
                            const std::vector<std::string> &lost) {
  Evaluation evaluation;
  evaluation.jobId = job.id;
  evaluation.arch = job.arch;
  evaluation.outcome = Outcome::Fault;
  evaluation.rule = workerLostRule;
  evaluation.message =
      "two workers were lost while they judged this job: " + lost[0] +
      "; then " + lost[1];
  evaluation.lostWorkers = lost;
  return evaluation;
}

Expected<Evaluation> WorkerPool::judge(const Job &job) {
  using End = Try::End;
  const std::string line = toJson(job);
  History history;
  for (;;) {
    Slot *slot = take(job, history);
    if (!slot)
      return makeError(Error::Code::Unavailable, whyNone(history));
    Try result = tryConfirmed(slot->process, job, line);
    {
      std::lock_guard lock(guard);
      slot->busy = false;
      if (result.end == End::NoStart)
        slot->retired = result.words;
      if (result.end == End::NoDevice)
        slot->noDevice = result.words;
      freed.notify_all();
    }
    switch (result.end) {
    case End::Judged:
      result.evaluation.lostWorkers = std::move(history.lost);
      return std::move(result.evaluation);
    case End::Lost:
      history.lost.push_back(result.words);
      history.lostOn.insert(slot);
      if (history.lost.size() == 2)
        return lostTwice(job, history.lost);
      warn(result.words + "; job " + job.id + " is judged again");
      break;
    case End::Refused:
      history.refusals.push_back(result.words);
      history.refusedBy.insert(slot);
      break;
    case End::NoStart:
    case End::NoDevice:
      if (size() > 1)
        warn("one worker less: " + result.words);
      break;
    }
  }
}

} // namespace kclaw
