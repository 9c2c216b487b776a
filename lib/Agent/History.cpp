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

/// On one line, cut between words.
std::string firstWords(const std::string &text, size_t limit) {
  std::string line;
  for (char c : text)
    line += c == '\n' ? ' ' : c;
  if (line.size() <= limit)
    return line;
  size_t end = line.rfind(' ', limit);
  return line.substr(0, end == std::string::npos ? limit : end) + " ...";
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
  text += record.plan ? record.plan->title
                      : std::string("no usable answer; nothing was tried");
  text += "): " + std::string(name(evaluation.outcome));
  if (evaluation.speedup > 0)
    text += ", " + decimal(evaluation.speedup) + "x of stock";
  if (record.gain > 0 && decision.parent > 0)
    text += ", " + decimal(record.gain) + "x of the kernel it started from";
  if (!evaluation.time.empty())
    text += ", " + decimal(evaluation.time.medianMicroseconds) + " us";
  text += describeChange(record);
  if (!decision.plan.empty())
    text += "; plan: " + firstWords(decision.plan, 240);
  if (!decision.rootCause.empty())
    text += "; cause found before: " + firstWords(decision.rootCause, 240);
  if (!evaluation.message.empty())
    text += ": " + firstWords(evaluation.message, 300);
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
