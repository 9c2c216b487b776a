//===- BestInstance.cpp - The fastest choice of tunables, judged ----------===//
#include "BestInstance.h"
#include "JudgedSizes.h"
#include "TunableSweep.h"

namespace kclaw {

/// The job and problem that instances of the tunables are timed at.
static Run<std::pair<Job, Problem>> sweepPlace(const Job &job,
                                               DeviceSession &session) {
  if (session.isSimulated())
    if (std::vector<Job> reduced = reducedJobs(job); !reduced.empty())
      if (Expected<Problem> problem = instantiate(reduced.front().spec))
        return std::pair(std::move(reduced.front()), std::move(*problem));
  Run<JudgedSizes> sizes = chooseSizes(job, session.isSimulated());
  if (!sizes)
    return std::unexpected(sizes.error());
  return std::pair(job, std::move(sizes->problems.front()));
}

static std::string choiceText(const TunableRow &row) {
  std::string text;
  for (const auto &[name, value] : row.values)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text;
}

/// A wrong result need not be every instance's; anything else is the plan's.
static bool isInstances(Outcome outcome) {
  return outcome == Outcome::Mismatch || outcome == Outcome::Nondeterministic;
}

Run<void>
judgeBestInstance(const Job &job, DeviceSession &session,
                  const std::string &workerPath, const Progress &progress,
                  const std::function<Run<void>(const Job &)> &judgeInstance,
                  Evaluation &evaluation) {
  constexpr size_t judgedInstances = 3;
  Run<std::pair<Job, Problem>> place = sweepPlace(job, session);
  if (!place)
    return std::unexpected(place.error());
  Clock::time_point start = Clock::now();
  TunableSweep sweep;
  Run<void> swept = sweepTunables(place->first, place->second, session,
                                  workerPath, progress, sweep);
  evaluation.tunableTable = sweep.table;
  evaluation.deviceSeconds = sweep.deviceSeconds;
  evaluation.phases["sweep"] = secondsSince(start);
  KCLAW_TRY(std::move(swept));
  Job chosen = job;
  chosen.timeoutSeconds =
      std::max(1.0, job.timeoutSeconds - secondsSince(start));
  if (sweep.ranking.empty()) // the plan's own choice says best what is wrong
    return judgeInstance(chosen);
  Run<void> judged = {};
  std::string notes = sweep.note;
  for (size_t i = 0; i < sweep.ranking.size() && i < judgedInstances; ++i) {
    TunableRow &row = evaluation.tunableTable[sweep.ranking[i]];
    chosen.candidate = withTunables(job.candidate, row.values);
    chosen.images.clear();
    evaluation.message.clear();
    evaluation.errors.clear();
    evaluation.explanation = {};
    evaluation.deviceSeconds = 0;
    judged = judgeInstance(chosen);
    evaluation.deviceSeconds += sweep.deviceSeconds;
    if (judged)
      break;
    row.outcome = judged.error().outcome;
    row.reason = judged.error().message;
    if (judged.error().contextLost || !isInstances(row.outcome))
      break;
    notes += (notes.empty() ? "" : "; ") + ("with " + choiceText(row)) +
             " results are wrong: " + row.reason;
  }
  if (judged && !notes.empty())
    evaluation.message += (evaluation.message.empty() ? "" : "; ") + notes;
  return judged;
}

} // namespace kclaw
