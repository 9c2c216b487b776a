//===- EnergyRun.cpp - Joules a call, of winners --------------------------===//
#include "EnergyRun.h"
#include "kernelclaw/Cuda/NvmlApi.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace kclaw {

constexpr double settleSeconds = 0.5;  // until clocks and power fall
constexpr double idleSeconds = 1;      // idle power is read so long
constexpr double rampSeconds = 0.3;    // of a loop, until its power is steady
constexpr double loopSeconds = 2;      // at least, after that
constexpr double batchSeconds = 0.05;  // calls enqueued at a time
constexpr double sampleSeconds = 0.05; // between readings
constexpr double neededSeconds =
    settleSeconds + idleSeconds + 2 * (rampSeconds + loopSeconds) + 1;
constexpr size_t parts = 5;
constexpr uint64_t mostCalls = 4096; // in a batch

static double watts(const EnergySample &from, const EnergySample &to) {
  double seconds = to.seconds - from.seconds;
  return seconds > 0 ? (to.joules - from.joules) / seconds : 0;
}

Power powerOf(const std::vector<EnergySample> &samples) {
  Power power;
  if (samples.size() < 2)
    return power;
  power.watts = watts(samples.front(), samples.back());
  size_t count = std::min(parts, samples.size() - 1);
  if (count < 2)
    return power;
  double squares = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t last = samples.size() - 1;
    double part =
        watts(samples[i * last / count], samples[(i + 1) * last / count]);
    squares += (part - power.watts) * (part - power.watts);
  }
  double n = static_cast<double>(count);
  power.uncertaintyWatts = std::sqrt(squares / (n - 1) / n);
  return power;
}

EnergyReading energyPerCall(const Power &idle, const Power &load,
                            double seconds, uint64_t calls) {
  EnergyReading reading;
  reading.loadWatts = load.watts;
  reading.seconds = seconds;
  reading.calls = calls;
  if (calls == 0)
    return reading;
  double secondsPerCall = seconds / static_cast<double>(calls);
  reading.joulesPerCall = (load.watts - idle.watts) * secondsPerCall;
  reading.uncertaintyJoules =
      std::hypot(load.uncertaintyWatts, idle.uncertaintyWatts) * secondsPerCall;
  return reading;
}

namespace {
/// Reads the counter of one device over time.
class Meter {
public:
  explicit Meter(const DeviceSession &session)
      : bus(session.facts().pciBusId) {}

  /// False when the counter cannot be read.
  bool read() {
    Expected<double> joules = readEnergyJoules(bus);
    if (!joules)
      return false;
    samples.push_back({secondsSince(start), *joules});
    return true;
  }
  bool readIfDue() {
    double now = secondsSince(start);
    return (!samples.empty() && now - samples.back().seconds < sampleSeconds) ||
           read();
  }
  Power power() const { return powerOf(samples); }

private:
  std::string bus;
  Clock::time_point start = Clock::now();
  std::vector<EnergySample> samples;
};
} // namespace

static void sleepFor(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

static Power idlePower(const DeviceSession &session) {
  sleepFor(settleSeconds);
  Meter meter(session);
  Clock::time_point start = Clock::now();
  while (meter.read() && secondsSince(start) < idleSeconds)
    sleepFor(sampleSeconds);
  return meter.power();
}

static Run<EnergyReading> loop(Workload &load, Contender &who,
                               const Timing &timing, const Power &idle) {
  KCLAW_TRY(load.poison(who, 0xff));
  KCLAW_TRY(load.prepare(who));
  double callSeconds = std::max(timing.medianMicroseconds, 1.0) * 1e-6;
  uint64_t batch = std::clamp<uint64_t>(
      static_cast<uint64_t>(batchSeconds / callSeconds), 1, mostCalls);
  uint64_t calls = 0;
  std::string what = "the loop for the energy of the " + who.name;
  auto runFor = [&](double seconds, Meter *meter) -> Run<double> {
    Clock::time_point start = Clock::now();
    while (secondsSince(start) < seconds) {
      if (meter)
        (void)meter->readIfDue();
      for (uint64_t i = 0; i < batch; ++i)
        KCLAW_TRY(load.enqueue(who));
      KCLAW_TRY(load.session->wait(load.remaining(), what));
      calls += batch;
    }
    if (meter)
      (void)meter->read();
    return secondsSince(start);
  };
  if (Run<double> ramp = runFor(rampSeconds, nullptr); !ramp)
    return std::unexpected(ramp.error());
  calls = 0;
  Meter meter(*load.session);
  Run<double> taken = runFor(loopSeconds, &meter);
  if (!taken)
    return std::unexpected(taken.error());
  return energyPerCall(idle, meter.power(), *taken, calls);
}

static std::string whyUnavailable(const Workload &load) {
  if (load.session->isSimulated())
    return "the simulator has no energy counter";
  if (auto joules = readEnergyJoules(load.session->facts().pciBusId); !joules)
    return joules.error().message;
  if (load.remaining() < neededSeconds)
    return "the job has less than the " + std::to_string(neededSeconds) +
           " seconds left that it takes";
  return "";
}

Run<Energy> measureEnergy(Workload &load, const Timing &candidate,
                          const Timing &stock) {
  Energy energy;
  energy.reason = whyUnavailable(load);
  if (!energy.reason.empty()) {
    energy.state = Energy::State::Unavailable;
    return energy;
  }
  Power idle = idlePower(*load.session);
  energy.idleWatts = idle.watts;
  for (auto [who, timing, reading] :
       {std::tuple{&load.candidate(), &candidate, &energy.candidate},
        std::tuple{&load.stock(), &stock, &energy.stock}}) {
    Run<EnergyReading> found = loop(load, *who, *timing, idle);
    if (!found)
      return std::unexpected(found.error());
    *reading = *found;
  }
  energy.state = Energy::State::Measured;
  return energy;
}

} // namespace kclaw
