//===- TimingRun.cpp - How fast is it, and still right? -------------------===//
#include "TimingRun.h"
#include "Statistics.h"
#include "kernelclaw/Cuda/NvmlApi.h"

#include <algorithm>

namespace kclaw {

constexpr size_t blockSamples = 5;
constexpr size_t checkedSamples = 3;
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

/// The flush is still running while the host enqueues the plan, so that launch
/// latency does not count.
Run<double> TimingRun::sample(Contender &who) {
  DeviceSession &session = *load.session;
  KCLAW_TRY(check.drawFresh());
  KCLAW_TRY(load.poison(who, 0xff));
  KCLAW_TRY(load.prepare(who));
  KCLAW_TRY(session.wait(load.remaining(), "preparing a timed run"));
  KCLAW_TRY(session.flushL2());
  KCLAW_TRY(session.mark(/*start=*/true));
  KCLAW_TRY(load.enqueue(who));
  KCLAW_TRY(session.mark(/*start=*/false));
  KCLAW_TRY(session.wait(load.remaining(), "a timed run of the " + who.name));
  return session.elapsedMicroseconds();
}

Run<void> TimingRun::block(Contender &who, std::vector<double> &samples,
                           size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Run<double> taken = sample(who);
    if (!taken)
      return std::unexpected(taken.error());
    bool checked =
        &who == &load.candidate() &&
        std::find(chosen.begin(), chosen.end(), samples.size()) != chosen.end();
    samples.push_back(*taken);
    if (&who == &load.candidate())
      KCLAW_TRY(check.checkWritten());
    if (!checked)
      continue;
    KCLAW_TRY(check.recheck());
    ++rechecked;
  }
  return {};
}

Run<void> TimingRun::warmUp() {
  for (Contender *who : {&load.candidate(), &load.stock()})
    for (size_t i = 0; i < warmUpRuns; ++i)
      if (Run<double> taken = sample(*who); !taken)
        return std::unexpected(taken.error());
  return {};
}

Run<TimingReport> TimingRun::run(double maxSeconds) {
  Run<TimingReport> report =
      load.session->isSimulated() ? estimate() : measure(maxSeconds);
  if (report)
    KCLAW_TRY(finish(*report));
  return report;
}

Run<TimingReport> TimingRun::estimate() {
  chosen = {0};
  std::vector<double> candidate;
  KCLAW_TRY(block(load.candidate(), candidate, 1));
  std::vector<double> stock;
  KCLAW_TRY(block(load.stock(), stock, 1));
  TimingReport report;
  report.candidate = summarise(std::move(candidate));
  report.stock = summarise(std::move(stock));
  return report;
}

Run<TimingReport> TimingRun::measure(double maxSeconds) {
  // One in each third of the samples that are always taken.
  for (size_t i = 0; i < checkedSamples; ++i) {
    size_t start = i * stopping.minimum / checkedSamples;
    size_t end = (i + 1) * stopping.minimum / checkedSamples;
    chosen.push_back(start + random() % (end - start));
  }

  KCLAW_TRY(warmUp());
  std::vector<double> candidate;
  std::vector<double> stock;
  Clock::time_point start = Clock::now();
  auto done = [&] {
    bool few = candidate.size() < stopping.minimum;
    bool late = secondsSince(start) > maxSeconds;
    return !few &&
           (late || (stopping.enough(candidate) && stopping.enough(stock)));
  };
  while (!done()) {
    bool candidateFirst = random() % 2 == 0;
    for (bool turn : {candidateFirst, !candidateFirst})
      KCLAW_TRY(turn ? block(load.candidate(), candidate, blockSamples)
                     : block(load.stock(), stock, blockSamples));
    if (random() % reloadEvery == 0) {
      KCLAW_TRY(load.candidate().plan->load(images));
      if (Run<double> cold = sample(load.candidate()); !cold)
        return std::unexpected(cold.error());
    }
  }
  TimingReport report;
  report.candidate = summarise(std::move(candidate));
  report.stock = summarise(std::move(stock));
  return report;
}

Run<void> TimingRun::finish(TimingReport &report) {
  bool once = load.session->isSimulated();
  Run<std::vector<double>> copies =
      once ? timeCopy(0, 1) : timeCopy(warmUpRuns, stopping.minimum);
  if (!copies)
    return std::unexpected(copies.error());
  report.copy = summarise(std::move(*copies));
  KCLAW_TRY(checkFloor(report));
  report.rechecked = rechecked;
  return {};
}

Timing TimingRun::summarise(std::vector<double> samples) const {
  Timing timing;
  if (samples.empty())
    return timing;
  timing.medianMicroseconds = median(samples);
  timing.spread = spread(samples);
  bool simulated = load.session->isSimulated();
  timing.clockMHz =
      simulated ? 0 : readSmClockMHz(load.session->facts().pciBusId);
  timing.device = load.session->facts().name;
  timing.method = simulated ? "estimate of the simulator" : "events, cold L2";
  timing.samplesMicroseconds = std::move(samples);
  return timing;
}

/// Reads half the spec's bytes and writes half: the same traffic. No samples
/// when it does not fit.
Run<std::vector<double>> TimingRun::timeCopy(size_t warmUps, size_t count) {
  DeviceSession &session = *load.session;
  std::vector<double> samples;
  uint64_t bytes = static_cast<uint64_t>(load.spec->bytes / 2) & ~uint64_t{255};
  if (bytes == 0)
    return samples;
  Expected<DeviceMemory> from = allocate(session.api, bytes);
  Expected<DeviceMemory> to = allocate(session.api, bytes);
  if (!from || !to)
    return samples;
  KCLAW_TRY(session.fill(from->get(), bytes, 0x3c));
  for (size_t i = 0; i < warmUps + count; ++i) {
    KCLAW_TRY(session.wait(load.remaining(), "preparing a copy"));
    KCLAW_TRY(session.flushL2());
    KCLAW_TRY(session.mark(true));
    KCLAW_TRY(session.copy(to->get(), from->get(), bytes));
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
    Run<double> taken = sample(load.candidate());
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
