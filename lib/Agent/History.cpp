//===- History.cpp - What was tried, in few tokens ------------------------===//
#include "Describe.h"

#include <algorithm>

namespace kclaw {
namespace {

std::string describeChange(const AttemptRecord &record) {
  constexpr const char *signs[] = {"down", "same", "up"};
  std::string text;
  for (const auto &[counter, sign] : record.decision.predicted) {
    text += (text.empty() ? "; predicted " : ", ") + counter + " " +
            signs[std::clamp(sign, -1, 1) + 1];
    if (auto found = record.measured.find(counter);
        found != record.measured.end())
      text += " (measured x" + decimal(found->second) + ")";
  }
  return text;
}

std::string describeAttempt(const AttemptRecord &record, bool best) {
  const Decision &decision = record.decision;
  const Evaluation &evaluation = record.evaluation;
  std::string text = "- attempt " + std::to_string(record.number);
  text += best ? ", the best so far" : "";
  text += " (";
  if (decision.phase != Phase::Seed)
    text += std::string(decision.phase == Phase::Repair ? "repair" : "change") +
            " of " + std::to_string(decision.parent) + ", ";
  if (decision.method != "seed")
    text += "method " + decision.method + ", ";
  if (!decision.approach.empty())
    text += "approach " + decision.approach + ", ";
  text += record.plan ? record.plan->title : std::string("no plan");
  text += "): " + std::string(name(evaluation.outcome));
  if (evaluation.speedup > 0)
    text += ", " + decimal(evaluation.speedup) + "x of stock";
  if (record.gain > 0 && decision.parent > 0)
    text += ", " + decimal(record.gain) + "x of what it started from";
  text += describeChange(record);
  if (!decision.rootCause.empty())
    text += "; cause found before: " + decision.rootCause.substr(0, 200);
  if (!evaluation.message.empty())
    text += ": " + evaluation.message.substr(0, 300);
  return text + "\n";
}

} // namespace

std::string describeHistory(const Tree &tree, int64_t maxTokens) {
  const AttemptRecord *best = tree.best();
  std::string text;
  size_t shown = 0;
  auto add = [&](const AttemptRecord &record) {
    std::string line = describeAttempt(record, &record == best);
    if (shown > 0 && tokensOf(text + line) > maxTokens)
      return false;
    text += line;
    ++shown;
    return true;
  };
  if (best)
    add(*best);
  for (auto record = tree.records().rbegin(); record != tree.records().rend();
       ++record)
    if (&*record != best && !add(*record))
      break;
  if (size_t left = tree.records().size() - shown)
    text += "- and " + std::to_string(left) + " earlier\n";
  return text.empty() ? "none yet\n" : text;
}

} // namespace kclaw
