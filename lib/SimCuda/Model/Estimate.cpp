//===- Estimate.cpp -------------------------------------------------------===//
#include "Estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kclaw::sim {

namespace {

// Chosen by hand from bench/sim/estimate-h200.json; how well they do, and what
// a fit of them gives, is in docs/results/sim-estimate.md.
constexpr double memoryEfficiency = 0.92; ///< of the pin rate
constexpr double l2BytesPerCycle = 29;    ///< of a multiprocessor's share
constexpr double partialWriteWeight = 2.8;
constexpr double atomicNanoseconds = 1.5; ///< a turn at a slice
constexpr double dispatchNanoseconds = 0.62;
constexpr double softness = 3; ///< p
/// Cycles from a load to the use of its value.
constexpr double l1Latency = 33, l2Latency = 275, memoryLatency = 655;
/// Machine instructions for each one of PTX: addresses and moves fold.
constexpr double expansion[] = {
    /*Integer*/ 0.8, /*Float16*/ 1,   /*Float32*/ 1,
    /*Float64*/ 1,
    /*Special*/ 2,   /*Convert*/ 1,   /*Move*/ 0.5,
    /*Load*/ 1,
    /*Store*/ 1,     /*Atomic*/ 1,    /*Warp*/ 1,
    /*Barrier*/ 6,
    /*Tensor*/ 1,    /*AsyncCopy*/ 1, /*Control*/ 0.7,
};
static_assert(std::size(expansion) == Counts::classes &&
              sizeof(DeviceModel::lanesPerCycle) / 2 == Counts::classes);

struct Term {
  const char *name;
  double TimeEstimate::*value;
};
constexpr Term terms[] = {
    {"dispatch", &TimeEstimate::dispatch},
    {"memory", &TimeEstimate::memory},
    {"l2", &TimeEstimate::l2},
    {"atomics", &TimeEstimate::atomics},
    {"l1", &TimeEstimate::l1},
    {"issue", &TimeEstimate::issue},
    {"pipe", &TimeEstimate::pipe},
    {"tensor", &TimeEstimate::tensor},
    {"latency", &TimeEstimate::latency},
};

double issueSlots(const Counts &counts) {
  double slots = 0;
  for (size_t c = 0; c < Counts::classes; ++c)
    slots += expansion[c] * double(counts.warpInstructions[c]);
  return slots / 4;
}

double busiestPipe(const DeviceModel &device, const Counts &counts) {
  double most = 0;
  for (size_t c = 0; c < Counts::classes; ++c)
    if (device.lanesPerCycle[c])
      most = std::max(most, double(counts.warpInstructions[c]) * lanes /
                                device.lanesPerCycle[c]);
  return most;
}

double tensorCycles(const DeviceModel &device, const Counts &counts) {
  double cycles = 0;
  for (size_t kind = 0; kind < counts.warpProducts.size(); ++kind)
    cycles += (double(counts.warpProducts[kind]) / device.mmaShare +
               double(counts.groupProducts[kind])) /
              device.tensorRate[kind];
  return cycles;
}

/// Cycles from a load to its use, over what the caches answered.
double loadLatency(const Counts &counts) {
  auto part = [](double a, double b) { return a + b > 0 ? a / (a + b) : 0; };
  double l1 = part(double(counts.l1HitSectors), double(counts.l2ReadSectors));
  double missing =
      part(double(counts.sampledMisses), double(counts.sampledHits));
  return l1 * l1Latency +
         (1 - l1) * (l2Latency + missing * (memoryLatency - l2Latency));
}

double ratio(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 1;
}

} // namespace

double memoryReadSectors(const Counts &c) {
  return double(c.l2ReadSectors) *
         ratio(c.sampledFetched, c.sampledHits + c.sampledMisses);
}
double memoryWriteSectors(const Counts &c) {
  return double(c.l2WriteSectors) * ratio(c.sampledWritten, c.sampledWrites);
}

TimeEstimate estimate(const DeviceModel &device, const LaunchFacts &facts) {
  const Counts &c = facts.counts;
  const double clock = device.clockKilohertz / 1e6; // cycles a nanosecond
  const auto blocks = double(std::max<uint64_t>(facts.blocks, 1));
  const double sms = device.smCount;
  // Blocks of the busiest multiprocessor, and turns of blocks that wait.
  const double busiest = std::ceil(blocks / sms);
  const double waves =
      std::ceil(blocks / (sms * std::max(facts.residentBlocks, 1u)));
  auto onSm = [&](double cycles) { return cycles / blocks * busiest / clock; };

  TimeEstimate t;
  t.launch = device.launchNanoseconds;
  t.dispatch = blocks * dispatchNanoseconds;
  t.memory = 32 * (memoryReadSectors(c) + memoryWriteSectors(c)) /
             (device.memoryBytesPerNanosecond * memoryEfficiency);
  t.l2 = 32 *
         (double(c.l2ReadSectors) + double(c.l2WriteSectors) +
          partialWriteWeight * double(c.partialWriteSectors)) /
         (l2BytesPerCycle * sms * clock);
  t.atomics =
      atomicNanoseconds * double(*std::ranges::max_element(c.atomicSlices));
  t.l1 = onSm(double(c.l1Wavefronts + c.sharedLoadWavefronts +
                     c.sharedStoreWavefronts + c.sharedAtomicTurns));
  t.issue = onSm(issueSlots(c));
  t.pipe = onSm(busiestPipe(device, c));
  t.tensor = onSm(tensorCycles(device, c));
  t.latency = waves / blocks / clock *
              (double(c.pathLoads) * loadLatency(c) + double(c.pathCycles));
  double sum = 0, most = 0;
  for (const Term &term : terms) {
    double value = t.*term.value;
    sum += std::pow(value, softness);
    if (value > most)
      most = value, t.bound = term.name;
  }
  t.total = t.launch + std::pow(sum, 1 / softness);
  return t;
}

uint64_t estimateNanoseconds(const DeviceModel &device, Traffic traffic,
                             uint64_t bytes) {
  double rate = traffic == Traffic::Host ? device.hostBytesPerNanosecond
                                         : device.memoryBytesPerNanosecond;
  return uint64_t(device.launchNanoseconds + double(bytes) / rate);
}

uint64_t estimateNanoseconds(const DeviceModel &device, const TensorKind *pipe,
                             double multiplyAdds, double bytes) {
  double rate = pipe ? device.tensorRate[size_t(*pipe)]
                     : device.lanesPerCycle[size_t(InstClass::Float32)];
  rate *= device.smCount * device.clockKilohertz / 1e6;
  return uint64_t(
      device.launchNanoseconds +
      std::max(bytes / device.memoryBytesPerNanosecond, multiplyAdds / rate));
}

} // namespace kclaw::sim
