//===- PrepareTiming.cpp - What preparing a plan costs --------------------===//
#include "PrepareTiming.h"
#include "Statistics.h"

namespace kclaw {

static Run<double> sample(Workload &load) {
  DeviceSession &session = *load.session;
  Contender &who = load.candidate();
  KCLAW_TRY(load.poison(who, 0xff));
  KCLAW_TRY(session.wait(load.remaining(), "before a timed preparation"));
  KCLAW_TRY(session.flushL2());
  KCLAW_TRY(session.mark(/*start=*/true));
  KCLAW_TRY(load.prepare(who));
  KCLAW_TRY(session.mark(/*start=*/false));
  KCLAW_TRY(session.wait(load.remaining(), "a timed preparation"));
  return session.elapsedMicroseconds();
}

Run<Timing> timePrepare(Workload &load) {
  constexpr size_t samples = 10;
  Timing timing;
  if (!load.candidate().plan || load.candidate().plan->preparesNothing())
    return timing;
  bool simulated = load.session->isSimulated();
  for (size_t i = 0; i < (simulated ? 1 : samples + 1); ++i) {
    Run<double> taken = sample(load);
    if (!taken)
      return std::unexpected(taken.error());
    if (simulated || i > 0) // the first one warms up
      timing.samplesMicroseconds.push_back(*taken);
  }
  timing.medianMicroseconds = median(timing.samplesMicroseconds);
  timing.spread = spread(timing.samplesMicroseconds);
  timing.device = load.session->facts().name;
  timing.method = simulated ? "estimate of the simulator" : "events, cold L2";
  return timing;
}

} // namespace kclaw
