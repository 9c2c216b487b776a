//===- Verification.cpp - The record of a whole module's check ------------===//
#include "EventLog.h"
#include "kernelclaw/Agent/Agent.h"

namespace kclaw {

using json::Json;

static Json describe(const Verification &verification) {
  Json dropped = Json::array();
  for (const DroppedWinner &winner : verification.dropped)
    dropped.push_back({{"symbol", winner.symbol},
                       {"specHash", winner.specHash},
                       {"reason", winner.reason}});
  return {{"status", name(verification.status)},
          {"reason", verification.reason},
          {"dropped", std::move(dropped)}};
}

static Expected<void> addToRun(const std::string &path,
                               const Verification &verification) {
  auto text = readFile(path);
  if (!text)
    return std::unexpected(text.error());
  Json run = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!run.is_object())
    return makeError(Error::Code::Invalid, "'" + path + "' is not JSON");
  run["verify"] = describe(verification);
  return writeFileAtomically(path, json::dump(run, 2) + "\n");
}

Expected<void> recordVerification(const std::string &runDirectory,
                                  const Verification &verification) {
  auto log = EventLog::open(runDirectory + "/events.jsonl");
  if (!log)
    return std::unexpected(log.error());
  for (const DroppedWinner &winner : verification.dropped) {
    auto told =
        log->append({{"event", "winner_dropped"},
                     {"specHash", winner.specHash},
                     {"message", winner.symbol + ": " + winner.reason}});
    if (!told)
      return told;
  }
  auto told = log->append({{"event", "verified"},
                           {"status", name(verification.status)},
                           {"message", verification.reason}});
  if (!told)
    return told;
  return addToRun(runDirectory + "/run.json", verification);
}

} // namespace kclaw
