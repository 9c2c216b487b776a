//===- Confirmation.cpp - A winner again, in fresh processes --------------===//
#include "Confirmation.h"
#include "Statistics.h"
#include "StockChoice.h"

#include <cstdio>

namespace kclaw {

bool needsConfirmation(const Job &job, const Evaluation &first) {
  return job.confirmProcesses > 0 && first.confirmation.asked == 0 &&
         first.outcome == Outcome::Ok && first.evidence == Evidence::Measured &&
         first.speedup > job.profileAboveSpeedup &&
         first.speedupInterval.known() && first.speedupInterval.low > 1;
}

Job confirmingJob(const Job &job, const Evaluation &first) {
  Job again = withStock(job, first.stock); // that which the images are of
  again.confirmProcesses = 0;
  again.profile = false;
  again.energy = false;
  again.checks = false;
  again.explain = false;
  again.replaySeed = 0;
  again.incumbent.reset();
  again.maxSweepSeconds = 0;
  again.images = first.images;
  again.stockImages = first.stockImages;
  for (Tunable &tunable : again.candidate.tunables)
    if (auto chosen = first.chosenTunables.find(tunable.name);
        chosen != first.chosenTunables.end())
      tunable.chosen = chosen->second;
  return again;
}

static ConfirmingProcess summary(const Evaluation &evaluation) {
  return {evaluation.speedup, evaluation.time.medianMicroseconds,
          evaluation.stockTime.medianMicroseconds, evaluation.time.clockMHz,
          evaluation.seed};
}

static std::string intervalText(const SpeedupInterval &interval) {
  char text[64];
  std::snprintf(text, sizeof text, "interval %.3f to %.3f", interval.low,
                interval.high);
  return text;
}

Evaluation confirm(const Job &job, Evaluation first, const JudgeFresh &judge) {
  Confirmation &confirmation = first.confirmation;
  confirmation.asked = job.confirmProcesses;
  Job again = confirmingJob(job, first);
  std::vector<ProcessSamples> samples;
  for (int i = 1; i <= job.confirmProcesses; ++i) {
    std::string which = "process " + std::to_string(i) + " of " +
                        std::to_string(job.confirmProcesses);
    Expected<Evaluation> judged = judge(again);
    if (!judged || judged->rule == "unavailable") {
      confirmation.reason = which + " could not judge: " +
                            (judged ? judged->message : judged.error().message);
      return first;
    }
    first.deviceSeconds += judged->deviceSeconds;
    if (judged->outcome != Outcome::Ok) {
      confirmation.reason = which + " refused it: " + judged->message;
      first.outcome = judged->outcome;
      first.rule = judged->rule;
      first.message = "when a winner was confirmed, " + confirmation.reason;
      first.errors = judged->errors;
      first.seed = judged->seed;
      return first;
    }
    confirmation.processes.push_back(summary(*judged));
    samples.push_back({judged->time.samplesMicroseconds,
                       judged->stockTime.samplesMicroseconds,
                       static_cast<size_t>(judged->time.blockSamples)});
  }
  first.speedup = speedupOf(samples);
  first.speedupInterval = bootstrapSpeedup(samples, first.seed);
  confirmation.held = first.speedupInterval.low > 1;
  if (!confirmation.held)
    confirmation.reason =
        "its speedup over " + std::to_string(samples.size()) +
        " processes may be none: " + intervalText(first.speedupInterval);
  return first;
}

} // namespace kclaw
