//===- SelftestPlan.cpp - One plan of the self-test, read -----------------===//
#include "SelftestPlan.h"
#include "kernelclaw/Plan/Evaluation.h"

#include <algorithm>

namespace kclaw {

constexpr std::string_view keys[] = {
    "problem", "expect",    "expect-sim", "gpu-only", "sim-only",
    "sizes",   "sizes-sim", "step",       "prepare",  "buffer",
    "module",  "plan",      "spec",       "job"};
constexpr std::string_view continued = "  ";

std::string SelftestHeader::first(const std::string &key) const {
  auto found = values.find(key);
  return found == values.end() ? "" : found->second.front();
}

/// "key" of "key: value"; empty where the line is text.
static std::string_view keyOf(std::string_view line) {
  size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
  bool isKey = end != line.npos && end > 0 && line.substr(end, 2) == ": ";
  return isKey ? line.substr(0, end) : "";
}

Expected<SelftestHeader> parseSelftestHeader(std::string_view text) {
  SelftestHeader header;
  std::string *current = &header.about;
  while (text.starts_with("//")) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(2, end - 2);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(' '))
      line.remove_prefix(1);
    if (line.starts_with(continued)) {
      *current += line.substr(continued.size() - 1);
      continue;
    }
    std::string_view key = keyOf(line);
    if (key.empty()) {
      current = &header.about;
      *current += (current->empty() ? "" : " ") + std::string(line);
      continue;
    }
    if (std::ranges::find(keys, key) == std::end(keys))
      return makeError(Error::Code::Invalid,
                       "unknown key '" + std::string(key) + "'");
    auto &list = header.values[std::string(key)];
    current = &list.emplace_back(line.substr(key.size() + 2));
  }
  return header;
}

static Expected<Prediction> parsePrediction(const std::string &text) {
  size_t blank = text.find(' ');
  Prediction prediction{text.substr(0, blank),
                        blank == text.npos ? "" : text.substr(blank + 1)};
  for (int i = 0; i <= static_cast<int>(Outcome::Ok); ++i)
    if (prediction.outcome == name(static_cast<Outcome>(i)))
      return prediction;
  if (prediction.outcome == "harmless" && !prediction.rule.empty())
    return prediction;
  return makeError(Error::Code::Invalid,
                   "expect: '" + text +
                       "' is neither 'OUTCOME [RULE]' nor "
                       "'harmless RULE'");
}

static Expected<SelftestPlan> parsePlanFile(const SelftestFile &file) {
  std::string_view path = file.path;
  size_t slash = path.rfind('/');
  SelftestPlan plan;
  plan.name = path.substr(slash + 1, path.rfind('.') - slash - 1);
  plan.cheat = path.starts_with("plans/cheat/");
  plan.source = file.text;
  auto header = parseSelftestHeader(file.text);
  if (!header)
    return std::unexpected(header.error());
  plan.header = std::move(*header);
  for (const char *needed : {"problem", "expect"})
    if (plan.header.first(needed).empty())
      return makeError(Error::Code::Invalid,
                       std::string("the key '") + needed + "' is missing");
  auto expected = parsePrediction(plan.header.first("expect"));
  if (!expected)
    return std::unexpected(expected.error());
  plan.onGpu = plan.onSimulator = *expected;
  if (std::string own = plan.header.first("expect-sim"); !own.empty()) {
    auto onSimulator = parsePrediction(own);
    if (!onSimulator)
      return std::unexpected(onSimulator.error());
    plan.onSimulator = *onSimulator;
  }
  for (const Prediction *each : {&plan.onGpu, &plan.onSimulator})
    if ((each->outcome == "ok") == plan.cheat)
      return makeError(Error::Code::Invalid,
                       "expect: a cheat must not be predicted to be ok, an "
                       "honest plan must");
  plan.gpuOnly = plan.header.first("gpu-only");
  plan.simulatorOnly = plan.header.first("sim-only");
  return plan;
}

Expected<std::vector<SelftestPlan>>
parseSelftestPlans(std::span<const SelftestFile> files) {
  std::vector<SelftestPlan> plans;
  for (const SelftestFile &file : files) {
    if (!std::string_view(file.path).starts_with("plans/"))
      continue;
    auto plan = parsePlanFile(file);
    if (!plan)
      return std::unexpected(plan.error().context(file.path));
    plans.push_back(std::move(*plan));
  }
  return plans;
}

} // namespace kclaw
