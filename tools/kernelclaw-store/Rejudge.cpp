//===- Rejudge.cpp - kernelclaw-store verify --rejudge --------------------===//
//
// A store has winners, but neither stock nor reference to judge them beside:
// those lie in the directory of a run that had the same region.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "kernelclaw/Device/Evaluator.h"
#include "kernelclaw/Device/RegionJob.h"
#include "kernelclaw/Plan/WinRule.h"

#include <cstdio>
#include <filesystem>

namespace kclaw {
namespace {

/// The simulator works for seconds at what a GPU does at once.
constexpr double measuringSeconds = 60, simulatingSeconds = 300;

enum class Verdict { Wins, WinsNoMore, NotJudged };

/// The region's folder in the first run that has it; empty: none has.
std::string findRegion(const std::vector<std::string> &runs,
                       const std::string &specHash) {
  for (const std::string &run : runs) {
    std::string folder = run + "/regions/" + specHash;
    std::error_code ignored;
    if (std::filesystem::exists(folder + "/spec.json", ignored))
      return folder;
  }
  return "";
}

class Rejudge {
public:
  Rejudge(const RejudgeOptions &options, StoreTool &tool, Store &store,
          Evaluator &evaluator)
      : options(options), tool(tool), store(store), evaluator(evaluator) {}

  Verdict operator()(const StoredEntry &row) {
    std::string folder = findRegion(options.runs, row.key.specHash);
    if (folder.empty())
      return tell(row, Verdict::NotJudged, "no run directory has its region");
    auto job = readRegionJob(folder);
    if (!job)
      return tell(row, Verdict::NotJudged, job.error().message);
    if (computeSpecHash(job->spec) != row.key.specHash)
      return tell(row, Verdict::NotJudged,
                  "'" + folder + "' is another region");
    job->id = row.key.specHash + "-rejudged";
    job->candidate = row.entry.plan;
    job->arch = row.key.arch;
    job->deterministic = row.key.policy.ends_with(" deterministic");
    job->confirmProcesses = confirmingProcesses;
    job->timeoutSeconds = evaluator.evidence() == Evidence::Measured
                              ? measuringSeconds
                              : simulatingSeconds;
    auto found = evaluator.evaluate(*job);
    if (!found)
      return tell(row, Verdict::NotJudged, found.error().message);
    if (found->outcome == Outcome::Rejected)
      return tell(row, Verdict::NotJudged, found->rule + ": " + found->message);
    WinRule rule;
    if (!rule.holds(*found))
      return tell(row, Verdict::WinsNoMore, reason(rule, *found));
    return keep(row, std::move(*found));
  }

private:
  static std::string reason(const WinRule &rule, const Evaluation &found) {
    if (found.outcome == Outcome::Ok)
      return rule.whyNot(found);
    return std::string(name(found.outcome)) + ", " + found.rule + ": " +
           found.message.substr(0, 300);
  }

  /// Under the rules and the evidence of now; a row of older rules makes room.
  Verdict keep(const StoredEntry &row, Evaluation found) {
    StoreKey key = row.key;
    key.rulesVersion = evaluatorRulesVersion;
    key.evidence = found.evidence;
    StoreEntry entry = row.entry;
    entry.evaluation = std::move(found);
    entry.reason = speedupOf(entry.evaluation);
    auto done = store.put(key, entry);
    if (done && row.key.rulesVersion < evaluatorRulesVersion)
      if (auto gone = store.remove(row.key); !gone)
        done = std::unexpected(gone.error());
    if (!done)
      tool.fail(done.error());
    return tell(row, Verdict::Wins,
                entry.reason + ", " + name(entry.evaluation.evidence));
  }

  static Verdict tell(const StoredEntry &row, Verdict verdict,
                      const std::string &why) {
    constexpr const char *words[] = {"wins", "wins no more", "not judged"};
    std::printf("%.12s %s %s, %s: %s: %s\n", row.key.specHash.c_str(),
                row.key.arch.c_str(), row.key.policy.c_str(),
                name(row.key.evidence), words[size_t(verdict)], why.c_str());
    std::fflush(stdout);
    return verdict;
  }

  const RejudgeOptions &options;
  StoreTool &tool;
  Store &store;
  Evaluator &evaluator;
};

} // namespace

void rejudge(const RejudgeOptions &options, StoreTool &tool) {
  auto store = tool.open();
  if (!store)
    return;
  auto contents = store->contents();
  if (!contents)
    return tool.fail(contents.error());
  EvaluatorOptions local;
  local.device = options.device;
  auto evaluator = createEvaluator(local);
  if (!evaluator)
    return tool.fail(evaluator.error());
  Rejudge judge(options, tool, *store, **evaluator);
  size_t counts[3] = {};
  for (const StoredEntry &row : contents->entries)
    if (row.entry.won)
      ++counts[size_t(judge(row))];
  for (const std::string &line : contents->damage)
    tool.fail({Error::Code::Io, line});
  std::printf("judged again: %s, %zu that win no more, %zu not judged\n",
              counted(counts[0], "winner").c_str(), counts[1], counts[2]);
  if (counts[1])
    tool.fail({Error::Code::Invalid,
               "what wins no more is still in the store; kernelclaw-store "
               "forget HASH has its region searched again"});
}

} // namespace kclaw
