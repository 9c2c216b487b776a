//===- Estimate.cpp - What a run may cost, before it does -----------------===//
//
// A rehearsal: the run itself, in a folder that is removed again, with a
// provider that keeps what it is asked and parks, and an evaluator that finds
// everything right but no faster. So the text is the one that would be sent,
// whatever the strategy.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Agent/Estimate.h"

#include "Ledger.h"
#include "RegionOrder.h"
#include "Search.h"

#include "kernelclaw/Store/StoreFile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace kclaw {
namespace {

namespace fs = std::filesystem;

class ListeningProvider : public Provider {
public:
  explicit ListeningProvider(const Provider &real) : real(real) {}
  Expected<Reply> complete(const Conversation &conversation) override {
    heard.try_emplace(conversation.id.substr(0, conversation.id.find('-')),
                      conversation);
    return makeError(Error::Code::Parked, "nothing is sent in an estimate");
  }
  Usage bound(const Conversation &conversation) const override {
    return real.bound(conversation);
  }
  const Provider &real;
  std::map<std::string, Conversation> heard; ///< the first one, by specHash
};

/// No evidence, so that nothing wins and nothing is at the roofline.
class EasyEvaluator : public Evaluator {
public:
  explicit EasyEvaluator(const Evaluator &real) : real(real) {}
  Expected<Evaluation> evaluate(const Job &job) override {
    Evaluation evaluation;
    evaluation.jobId = job.id;
    evaluation.outcome = Outcome::Ok;
    evaluation.speedup = 1;
    return evaluation;
  }
  Evidence evidence() const override { return real.evidence(); }
  bool sweepsTunables() const override { return real.sweepsTunables(); }
  const Evaluator &real;
};

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name =
        (fs::temp_directory_path() / "kernelclaw-estimate-XXXXXX").string();
    if (mkdtemp(name.data()))
      path = name;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path.empty())
      fs::remove_all(path, ignored);
  }
  std::string path; ///< empty: it could not be made
};

/// A store that may be written to. Null for null.
Expected<std::unique_ptr<Store>> copyOf(Store *store, const std::string &path) {
  if (!store)
    return nullptr;
  auto contents = store->contents();
  if (!contents)
    return std::unexpected(contents.error());
  auto copy = openStore(path);
  if (!copy)
    return copy;
  auto merged = (*copy)->merge(*contents, 1);
  if (!merged)
    return std::unexpected(merged.error());
  return copy;
}

void addTo(Usage &sum, const Usage &usage) {
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  sum.dollars += usage.dollars;
}

std::string textOf(const Conversation &conversation) {
  std::string text = "=== " + conversation.id + "\n";
  for (const Message &message : conversation.messages)
    text += "--- " + message.role + "\n" + message.content + "\n";
  for (const Tool &tool : conversation.tools)
    text += "--- tool " + tool.name + "\n" + tool.description + "\n" +
            tool.parameters + "\n";
  if (!conversation.responseSchema.empty())
    text += "--- schema " + conversation.responseSchemaName + "\n" +
            conversation.responseSchema + "\n";
  return text;
}

/// Dollars for `usage`, by what the provider asks for a question without and
/// with an answer.
double price(const Provider &provider, Conversation question,
             const Usage &usage) {
  Usage all = provider.bound(question);
  question.maxTokens = 0;
  Usage asked = provider.bound(question);
  double in = asked.inputTokens ? asked.dollars / double(asked.inputTokens) : 0;
  int64_t answer = all.outputTokens - asked.outputTokens;
  double out = answer > 0 ? (all.dollars - asked.dollars) / double(answer) : 0;
  return in * double(usage.inputTokens) + out * double(usage.outputTokens);
}

void estimateCalls(RegionEstimate &region, const Conversation &question,
                   const Provider &provider, const AgentOptions &options,
                   const CallHabits &habits) {
  int attempts = options.budget.maxAttempts;
  region.callsLow = int64_t(
      std::ceil(std::ceil(habits.attempts * attempts) * habits.callsLow));
  region.callsHigh = int64_t(std::ceil(attempts * habits.callsHigh));
  Usage bound = provider.bound(question);
  double bytes = double(textOf(question).size());
  double low =
      std::min(bytes / habits.bytesPerToken, double(bound.inputTokens));
  region.low.inputTokens =
      int64_t(double(region.callsLow) * habits.inputLow * low);
  region.low.outputTokens =
      region.callsLow * std::min(habits.outputLow, bound.outputTokens);
  region.high.inputTokens = int64_t(
      double(region.callsHigh) * habits.inputHigh * double(bound.inputTokens));
  region.high.outputTokens = region.callsHigh * bound.outputTokens;
  region.low.dollars = price(provider, question, region.low);
  region.high.dollars = price(provider, question, region.high);
}

void applyCaps(Usage &usage, const Budget &budget) {
  int64_t tokens = usage.inputTokens + usage.outputTokens;
  double part = 1;
  if (budget.maxTokens > 0 && tokens > budget.maxTokens)
    part = double(budget.maxTokens) / double(tokens);
  if (budget.maxDollars > 0 && usage.dollars * part > budget.maxDollars)
    part = budget.maxDollars / usage.dollars;
  usage.inputTokens = int64_t(double(usage.inputTokens) * part);
  usage.outputTokens = int64_t(double(usage.outputTokens) * part);
  usage.dollars *= part;
}

} // namespace

Expected<Estimate> estimateRun(const std::vector<RegionTask> &tasks,
                               const Provider &provider,
                               const Evaluator &evaluator, Store *store,
                               const AgentOptions &options,
                               const CallHabits &habits) {
  TemporaryFolder folder;
  if (folder.path.empty())
    return makeError(Error::Code::Io, "cannot create a folder under '" +
                                          fs::temp_directory_path().string() +
                                          "'");
  AgentOptions rehearsal = options;
  rehearsal.runDirectory = folder.path + "/run";
  rehearsal.progress = ProgressKind::None;
  rehearsal.budget = Budget();
  rehearsal.budget.maxAttempts = options.budget.maxAttempts;
  rehearsal.jobs = 1;
  ListeningProvider listener(provider);
  EasyEvaluator judge(evaluator);
  auto known = copyOf(store, folder.path + "/store");
  if (!known)
    return std::unexpected(known.error());
  auto outcomes =
      optimizeRegions(tasks, listener, judge, known->get(), rehearsal);
  if (!outcomes)
    return std::unexpected(outcomes.error());

  Estimate estimate;
  StockTimes times = storedStock(store, evaluator.evidence(), options, tasks);
  for (const RegionWeight &weight : orderRegions(tasks, options.rates, times)) {
    const KernelSpec &spec = tasks[weight.task].spec;
    RegionEstimate region;
    region.symbol = spec.symbol;
    region.specHash = spec.specHash;
    region.uses = weight.uses;
    region.timeShare = weight.timeShare;
    region.headroom = weight.headroom;
    region.stockMicroseconds = weight.stockMicroseconds;
    region.stockMeasured = weight.measured;
    auto question = listener.heard.find(spec.specHash);
    if (question == listener.heard.end()) {
      region.whyNothing = (*outcomes)[weight.task].reason;
    } else {
      estimateCalls(region, question->second, provider, options, habits);
      estimate.text += textOf(question->second);
      estimate.priced |= provider.bound(question->second).dollars > 0;
    }
    estimate.callsLow += region.callsLow;
    estimate.callsHigh += region.callsHigh;
    addTo(estimate.low, region.low);
    addTo(estimate.high, region.high);
    estimate.regions.push_back(std::move(region));
  }
  applyCaps(estimate.low, options.budget);
  applyCaps(estimate.high, options.budget);
  estimate.textBytes = estimate.text.size();
  return estimate;
}

} // namespace kclaw
