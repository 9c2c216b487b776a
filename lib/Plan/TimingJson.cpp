//===- TimingJson.cpp - Times, intervals and energy <-> JSON --------------===//
//
// Parts of an evaluation: docs/schema/evaluation.schema.json. What has no
// content is null.
//
//===----------------------------------------------------------------------===//
#include "PlanJson.h"

namespace kclaw::json {
namespace {

constexpr EnumRow<Energy::State> energyStates[] = {
    {"not asked", Energy::State::NotAsked},
    {"measured", Energy::State::Measured},
    {"unavailable", Energy::State::Unavailable}};

Json write(const WarmTiming &warm) {
  if (warm.samplesMicroseconds.empty())
    return nullptr;
  return {{"samplesMicroseconds", writeNumbers(warm.samplesMicroseconds)},
          {"medianMicroseconds", number(warm.medianMicroseconds)},
          {"spread", number(warm.spread)},
          {"method", warm.method}};
}

WarmTiming readWarm(const Cursor &at) {
  return {at.find("samplesMicroseconds").list(readNumber),
          at.find("medianMicroseconds").number(), at.find("spread").number(),
          at.find("method").string()};
}

Json write(const ConfirmingProcess &process) {
  return {{"speedup", number(process.speedup)},
          {"medianMicroseconds", number(process.medianMicroseconds)},
          {"stockMedianMicroseconds", number(process.stockMedianMicroseconds)},
          {"clockMHz", number(process.clockMHz)},
          {"seed", process.seed}};
}

ConfirmingProcess readProcess(const Cursor &at) {
  return {at.find("speedup").number(), at.find("medianMicroseconds").number(),
          at.find("stockMedianMicroseconds").number(),
          at.find("clockMHz").number(), readUnsigned(at.find("seed"))};
}

Json write(const EnergyReading &reading) {
  return {{"joulesPerCall", number(reading.joulesPerCall)},
          {"uncertaintyJoules", number(reading.uncertaintyJoules)},
          {"loadWatts", number(reading.loadWatts)},
          {"seconds", number(reading.seconds)},
          {"calls", reading.calls}};
}

EnergyReading readReading(const Cursor &at) {
  return {at.find("joulesPerCall").number(),
          at.find("uncertaintyJoules").number(), at.find("loadWatts").number(),
          at.find("seconds").number(), readUnsigned(at.find("calls"))};
}

} // namespace

uint64_t readUnsigned(const Cursor &at, uint64_t otherwise) {
  if (!at.present())
    return otherwise;
  if (at.get()->is_number_unsigned())
    return at.get()->get<uint64_t>();
  at.fail("expected a whole number of 0 or more");
  return otherwise;
}

Json write(const Timing &time) {
  return {{"samplesMicroseconds", writeNumbers(time.samplesMicroseconds)},
          {"medianMicroseconds", number(time.medianMicroseconds)},
          {"spread", number(time.spread)},
          {"clockMHz", number(time.clockMHz)},
          {"device", time.device},
          {"method", time.method},
          {"blockSamples", time.blockSamples},
          {"blockClocksMHz", writeNumbers(time.blockClocksMHz)},
          {"stopped", time.stopped},
          {"warm", write(time.warm)}};
}

Timing readTiming(const Cursor &at) {
  Timing time;
  time.samplesMicroseconds = at.find("samplesMicroseconds").list(readNumber);
  time.medianMicroseconds = at.find("medianMicroseconds").number();
  time.spread = at.find("spread").number();
  time.clockMHz = at.find("clockMHz").number();
  time.device = at.find("device").string();
  time.method = at.find("method").string();
  time.blockSamples = int(at.find("blockSamples").integer());
  time.blockClocksMHz = at.find("blockClocksMHz").list(readNumber);
  time.stopped = at.find("stopped").string();
  time.warm = readWarm(at.find("warm"));
  return time;
}

Json write(const SpeedupInterval &interval) {
  if (!interval.known())
    return nullptr;
  return {{"low", number(interval.low)},
          {"high", number(interval.high)},
          {"confidence", number(interval.confidence)},
          {"processes", interval.processes}};
}

SpeedupInterval readInterval(const Cursor &at) {
  return {at.find("low").number(), at.find("high").number(),
          at.find("confidence").number(), int(at.find("processes").integer())};
}

Json write(const Confirmation &confirmation) {
  if (confirmation.asked == 0)
    return nullptr;
  Json processes = Json::array();
  for (const ConfirmingProcess &process : confirmation.processes)
    processes.push_back(write(process));
  return {{"asked", confirmation.asked},
          {"processes", std::move(processes)},
          {"held", confirmation.held},
          {"reason", confirmation.reason}};
}

Confirmation readConfirmation(const Cursor &at) {
  return {int(at.find("asked").integer()),
          at.find("processes").list(readProcess), at.find("held").boolean(),
          at.find("reason").string()};
}

Json write(const Energy &energy) {
  if (energy.state == Energy::State::NotAsked)
    return nullptr;
  return {{"state", nameOf(energyStates, energy.state)},
          {"reason", energy.reason},
          {"idleWatts", number(energy.idleWatts)},
          {"candidate", write(energy.candidate)},
          {"stock", write(energy.stock)}};
}

Energy readEnergy(const Cursor &at) {
  return {at.find("state").oneOf(energyStates, Energy::State::NotAsked),
          at.find("reason").string(), at.find("idleWatts").number(),
          readReading(at.find("candidate")), readReading(at.find("stock"))};
}

} // namespace kclaw::json
