//===- KnownResults.cpp - What a draw gave before
//--------------------------===//
//
// The part of a workload that keeps stock's and the reference's results.
//
//===----------------------------------------------------------------------===//
#include "Workload.h"

namespace kclaw {

constexpr uint64_t poolEntries = 32; // what a region keeps, more or less

std::string Workload::regionKey() const {
  std::string key = spec->specHash;
  for (const auto &[name, size] : problem->dims)
    key += " " + name + "=" + std::to_string(size);
  return key;
}

/// Data are drawn from all of this and nothing else.
std::string Workload::drawKey() const {
  std::string key = regionKey();
  for (uint64_t number :
       {dataSeed, uint64_t(current.distribution->kind), uint64_t(current.level),
        current.run, current.perturbation,
        uint64_t(current.redrawnArgument + 1)})
    key += " " + std::to_string(number);
  return key;
}

std::string Workload::cacheKey(const Contender &who) const {
  return who.name + " " + who.planKey + " " + drawKey();
}

/// Copies what was computed before into the contender's results.
Run<void> Workload::recall(Contender &who, ResultCache::Entry &entry) {
  Phase phase(session->phases, "recall");
  KCLAW_TRY(show());
  KCLAW_TRY(entry.memory.show());
  for (size_t i = 0; i < who.results.size(); ++i)
    KCLAW_TRY(session->copy(who.results[i].address(), entry.results[i],
                            who.results[i].bytes()));
  KCLAW_TRY(session->wait(remaining(), "copying known results"));
  return entry.memory.hide();
}

/// Nothing is remembered where there is no room: it is computed again.
Run<void> Workload::remember(Contender &who, const std::string &key) {
  Phase phase(session->phases, "remember");
  uint64_t bytes = 0;
  for (const GuardedBuffer &buffer : who.results)
    bytes += HiddenMemory::needed(buffer.bytes());
  // Larger ones would be gone before the next candidate comes.
  if (bytes > session->cache.capacity() / poolEntries ||
      !session->cache.reserve(bytes))
    return {};
  Run<HiddenMemory> memory =
      HiddenMemory::create(*session, "known results", bytes);
  if (!memory)
    return {};
  ResultCache::Entry entry{std::move(*memory), {}};
  KCLAW_TRY(entry.memory.show());
  for (const GuardedBuffer &buffer : who.results) {
    entry.results.push_back(entry.memory.take(buffer.bytes()));
    KCLAW_TRY(
        session->copy(entry.results.back(), buffer.address(), buffer.bytes()));
  }
  KCLAW_TRY(session->wait(remaining(), "keeping results"));
  KCLAW_TRY(entry.memory.hide());
  session->cache.put(key, std::move(entry));
  return {};
}

Run<void> Workload::computeResults(Contender &who, uint8_t poisonByte) {
  bool kept =
      !who.planKey.empty() && current.pooled && current.perturbation == 0;
  std::string key = kept ? cacheKey(who) : "";
  if (ResultCache::Entry *known = kept ? session->cache.find(key) : nullptr)
    return recall(who, *known);
  KCLAW_TRY(poison(who, poisonByte));
  KCLAW_TRY(runAndWait(who));
  return kept ? remember(who, key) : Run<void>();
}

} // namespace kclaw
