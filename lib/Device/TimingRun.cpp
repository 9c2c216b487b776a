//===- TimingRun.cpp - How fast is it, and still right? -------------------===//
#include "TimingRun.h"
#include "Statistics.h"
#include "kernelclaw/Cuda/NvmlApi.h"

#include <algorithm>

namespace kclaw {

constexpr size_t blockSamples = 5;
constexpr size_t checkedSamples =
    3; // ... and as many in a row from one of them
constexpr size_t warmSamples = 10;
constexpr size_t warmUpRuns = 3;
constexpr size_t reloadEvery = 3; // blocks, on average
constexpr StoppingRule stopping;

double floorMicroseconds(double specBytes, double resultBytes, double l2Bytes,
                         double pinBytesPerSecond) {
  if (pinBytesPerSecond <= 0)
    return 0;
  double bytes = specBytes - std::min(resultBytes, l2Bytes);
  return bytes > 0 ? bytes / pinBytesPerSecond * 1e6 : 0;
}

/// The flush (or what holds the stream) is still running while the host
/// enqueues the plan, so that launch latency does not count.
Run<double> TimingRun::sample(Contender &who, Cache cache, bool checked) {
  DeviceSession &session = *load.session;
  KCLAW_TRY(load.poison(who, 0xff));
  KCLAW_TRY(check.drawFresh(checked));
  KCLAW_TRY(load.prepare(who));
  KCLAW_TRY(session.wait(load.remaining(), "preparing a timed run"));
  KCLAW_TRY(cache == Cache::Cold ? session.flushL2() : session.holdStream());
  KCLAW_TRY(session.mark(/*start=*/true));
  KCLAW_TRY(load.enqueue(who));
  KCLAW_TRY(session.mark(/*start=*/false));
  KCLAW_TRY(session.wait(load.remaining(), "a timed run of the " + who.name));
  return session.elapsedMicroseconds();
}

/// A failure of stock or incumbent says nothing about the candidate.
static RunFailure notJudged(const std::string &who, RunFailure failure) {
  failure.rule = who + "-" + failure.rule;
  failure.outcome = Outcome::Rejected;
  failure.message = "not judged: " + failure.message;
  return failure;
}

Run<void> TimingRun::block(Entrant &entrant, Cache cache, size_t count) {
  bool cold = cache == Cache::Cold;
  bool isCandidate = entrant.who == &load.candidate();
  std::vector<double> &samples = cold ? entrant.cold : entrant.warm;
  const std::set<size_t> &chosen = cold ? checkedCold : checkedWarm;
  for (size_t i = 0; i < count; ++i) {
    bool checked = isCandidate && chosen.contains(samples.size());
    Run<double> taken = sample(*entrant.who, cache, checked);
    if (!taken)
      return std::unexpected(isCandidate
                                 ? taken.error()
                                 : notJudged(entrant.who->name, taken.error()));
    samples.push_back(*taken);
    if (isCandidate)
      KCLAW_TRY(check.checkWritten());
    if (!checked)
      continue;
    KCLAW_TRY(check.recheck());
    ++rechecked;
  }
  Phase phase(load.session->phases, "timing, clock");
  if (cold && !load.session->isSimulated())
    entrant.clocksMHz.push_back(readSmClockMHz(load.session->facts().pciBusId));
  return {};
}

Run<void> TimingRun::round(Cache cache, size_t count) {
  std::vector<Entrant *> order;
  for (Entrant &entrant : entrants)
    order.push_back(&entrant);
  std::ranges::shuffle(order, random);
  for (Entrant *entrant : order)
    KCLAW_TRY(block(*entrant, cache, count));
  return {};
}

Run<void> TimingRun::warmUp() {
  for (Entrant &entrant : entrants)
    for (size_t i = 0; i < warmUpRuns; ++i)
      if (auto taken = sample(*entrant.who, Cache::Cold, false); !taken)
        return std::unexpected(taken.error());
  return {};
}

Run<TimingReport> TimingRun::run(double maxSeconds) {
  entrants = {{&load.candidate()}, {&load.stock()}};
  if (load.incumbent())
    entrants.push_back({load.incumbent()});
  KCLAW_TRY(load.session->isSimulated() ? estimate() : measure(maxSeconds));
  return report();
}

Run<void> TimingRun::estimate() {
  checkedCold = {0};
  for (Cache cache : {Cache::Cold, Cache::Warm})
    for (Entrant &entrant : entrants)
      KCLAW_TRY(block(entrant, cache, 1));
  return {};
}

/// One in each third of the samples that are always taken; those that follow
/// the first of them, so that calls in a row are seen; one warm sample.
void TimingRun::chooseChecked() {
  for (size_t i = 0; i < checkedSamples; ++i) {
    size_t start = i * stopping.minimum / checkedSamples;
    size_t end = (i + 1) * stopping.minimum / checkedSamples;
    checkedCold.insert(start + random() % (end - start));
  }
  size_t first = *checkedCold.begin();
  for (size_t i = 1; i < checkedSamples; ++i)
    checkedCold.insert(first + i);
  checkedWarm.insert(random() % warmSamples);
}

bool TimingRun::isDone(double secondsLeft) {
  bool all = true;
  for (Entrant &entrant : entrants) {
    if (entrant.cold.size() < stopping.minimum)
      return false;
    const char *reason = stopping.reason(entrant.cold);
    all &= reason != nullptr;
    entrant.stopped = reason ? reason : "time";
  }
  return all || secondsLeft < 0;
}

Run<void> TimingRun::measure(double maxSeconds) {
  chooseChecked();
  KCLAW_TRY(warmUp());
  Clock::time_point start = Clock::now();
  while (!isDone(maxSeconds - secondsSince(start))) {
    KCLAW_TRY(round(Cache::Cold, blockSamples));
    if (random() % reloadEvery == 0) {
      KCLAW_TRY(load.candidate().plan->load(images));
      if (auto first = sample(load.candidate(), Cache::Cold, false); !first)
        return std::unexpected(first.error());
    }
  }
  Phase phase(load.session->phases, "timing, warm");
  for (size_t taken = 0; taken < warmSamples; taken += blockSamples)
    KCLAW_TRY(round(Cache::Warm, blockSamples));
  return {};
}

Run<TimingReport> TimingRun::report() {
  auto against = [&](const Entrant &other) {
    return bootstrapSpeedup({{entrants[0].cold, other.cold, blockSamples}},
                            seed);
  };
  TimingReport report;
  report.speedup = against(entrants[1]);
  if (entrants.size() > 2) {
    report.incumbentSpeedup = against(entrants[2]);
    report.incumbent = summarise(entrants[2]);
  }
  report.candidate = summarise(entrants[0]);
  report.stock = summarise(entrants[1]);
  Phase phase(load.session->phases, "timing, copy");
  bool once = load.session->isSimulated();
  Run<std::vector<double>> copies =
      once ? timeCopy(0, 1) : timeCopy(warmUpRuns, stopping.minimum);
  if (!copies)
    return std::unexpected(copies.error());
  report.copy = summariseCopy(std::move(*copies));
  KCLAW_TRY(checkFloor(report));
  report.rechecked = rechecked;
  return report;
}

Timing TimingRun::summariseCopy(std::vector<double> samples) const {
  Timing timing;
  if (samples.empty())
    return timing;
  timing.medianMicroseconds = median(samples);
  timing.spread = spread(samples);
  timing.device = load.session->facts().name;
  timing.method = load.session->isSimulated() ? "estimate of the simulator"
                                              : "events, cold L2";
  timing.samplesMicroseconds = std::move(samples);
  return timing;
}

Timing TimingRun::summarise(Entrant &entrant) const {
  Timing timing = summariseCopy(std::move(entrant.cold));
  timing.clockMHz = median(entrant.clocksMHz);
  timing.blockClocksMHz = std::move(entrant.clocksMHz);
  bool simulated = load.session->isSimulated();
  timing.blockSamples = simulated ? 1 : static_cast<int>(blockSamples);
  timing.stopped = entrant.stopped;
  timing.warm.medianMicroseconds = median(entrant.warm);
  timing.warm.spread = spread(entrant.warm);
  timing.warm.method =
      simulated ? "estimate of the simulator, warm L2" : "events, warm L2";
  timing.warm.samplesMicroseconds = std::move(entrant.warm);
  return timing;
}

namespace {
/// Bytes that are read and written, only read, only written.
struct Traffic {
  uint64_t copied, read, filled;

  Traffic(double all, double results) {
    double inputs = std::max(0.0, all - results);
    copied = whole(std::min(inputs, results));
    read = whole(inputs - copied);
    filled = whole(results - copied);
  }
  static uint64_t whole(double bytes) {
    return bytes > 0 ? static_cast<uint64_t>(bytes) & ~uint64_t{255} : 0;
  }
};
} // namespace

/// Reads the bytes of the spec's inputs and writes those of its results: a
/// copy, and what is left of either. Reading alone is faster than a copy, so a
/// copy of half would be no bound; to the simulator it is all the same. No
/// samples when it does not fit.
Run<std::vector<double>> TimingRun::timeCopy(size_t warmUps, size_t count) {
  DeviceSession &session = *load.session;
  std::vector<double> samples;
  Traffic bytes(load.spec->bytes,
                session.isSimulated()
                    ? load.spec->bytes / 2
                    : std::min(resultBytes(*load.problem), load.spec->bytes));
  uint64_t inputs = bytes.copied + bytes.read;
  uint64_t results = bytes.copied + bytes.filled;
  if (inputs + results == 0)
    return samples;
  Expected<DeviceMemory> from =
      allocate(session.api, std::max<uint64_t>(inputs, 256));
  Expected<DeviceMemory> to =
      allocate(session.api, std::max<uint64_t>(results, 256));
  if (!from || !to)
    return samples;
  KCLAW_TRY(session.fill(from->get(), inputs, 0x3c));
  for (size_t i = 0; i < warmUps + count; ++i) {
    KCLAW_TRY(session.wait(load.remaining(), "preparing a copy"));
    KCLAW_TRY(session.flushL2());
    KCLAW_TRY(session.mark(true));
    KCLAW_TRY(session.copy(to->get(), from->get(), bytes.copied));
    KCLAW_TRY(session.read(from->get() + bytes.copied, bytes.read));
    KCLAW_TRY(session.fill(to->get() + bytes.copied, bytes.filled, 0x3c));
    KCLAW_TRY(session.mark(false));
    KCLAW_TRY(session.wait(load.remaining(), "a timed copy"));
    Run<double> taken = session.elapsedMicroseconds();
    if (!taken)
      return std::unexpected(taken.error());
    if (i >= warmUps)
      samples.push_back(*taken);
  }
  return samples;
}

/// Faster than the pins allow: every further run is checked in full, and must
/// be right and as fast, or the claim is suspicious.
Run<void> TimingRun::checkFloor(TimingReport &report) {
  const DeviceFacts &facts = load.session->facts();
  double floor = floorMicroseconds(load.spec->bytes, resultBytes(*load.problem),
                                   static_cast<double>(facts.l2Bytes),
                                   facts.pinBytesPerSecond);
  if (report.candidate.medianMicroseconds >= floor)
    return {};
  std::string claim = "median " +
                      std::to_string(report.candidate.medianMicroseconds) +
                      " us is below the floor of " + std::to_string(floor) +
                      " us for " + std::to_string(load.spec->bytes) + " bytes";
  std::vector<double> again;
  size_t runs = load.session->isSimulated() ? 1 : blockSamples;
  for (size_t i = 0; i < runs; ++i) {
    Run<double> taken = sample(load.candidate(), Cache::Cold, true);
    if (!taken)
      return std::unexpected(taken.error());
    again.push_back(*taken);
    if (Run<void> right = check.recheck(); !right)
      return failRun(Outcome::Suspicious, "floor",
                     claim +
                         ", and a checked run failed: " + right.error().message,
                     right.error().contextLost);
    ++rechecked;
  }
  if (median(again) >= 1.1 * report.candidate.medianMicroseconds)
    return failRun(Outcome::Suspicious, "floor",
                   claim + ", and checked runs took " +
                       std::to_string(median(again)) + " us");
  report.note = claim + "; checked runs are right and as fast";
  return {};
}

} // namespace kclaw
